-- Stakes as holders see them, and their daily rewards, which follow from the stake and from when it lapsed: no row a day
-- is needed for them.

-- A booked stake. `own_exempt_days` counts the days for which only this earning is exempt; `expired_amount` was
-- unclaimed when the time to claim ended; `is_settled`: no reward is left to claim or to lapse. `lapsed`: the cycles that
-- lapsed; the last range is open while the stake is lapsing.
create table earning (
  id bigint generated always as identity primary key,
  stake_id bigint not null unique,
  staker bytea not null check (octet_length(staker) = 20),
  is_registered boolean not null,
  plan_id bigint not null references earning_plan,
  plan_code text not null,
  amount numeric(78,0) not null check (amount > 0),
  reward numeric(78,0) not null check (reward >= 0),
  cycles integer not null check (cycles > 0),
  freeze_limit integer not null check (freeze_limit > 0),
  started_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > started_at),
  start_day date not null,
  claimed_through integer not null default 0 check (claimed_through between 0 and cycles),
  own_exempt_days integer not null default 0 check (own_exempt_days >= 0),
  has_open_fee boolean not null default false,
  lapsed int4multirange not null default '{}' check (lapsed <@ '{[1,)}'::int4multirange),
  expired_amount numeric(78,0) check (expired_amount > 0),
  expired_at timestamptz,
  is_settled boolean not null default false,
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  log_index integer not null,
  block_number bigint not null,
  booked_at timestamptz not null,
  release_asked_at timestamptz,
  released_at timestamptz,
  release_tx bytea check (octet_length(release_tx) = 32),
  constraint earning_once_a_plan unique (staker, plan_id),
  -- The index also contains whether a stake is running, for lists with the ended ones first or last.
  constraint earning_once_an_event unique (tx_hash, log_index) include (ends_at, id),
  constraint earning_expired_at check ((expired_at is null) = (expired_amount is null)),
  check ((released_at is null) = (release_tx is null))
) with (fillfactor = 90);
create index earning_to_release on earning (ends_at) where release_asked_at is null;
create index earning_to_settle on earning (ends_at) where not is_settled;
create index earning_unregistered on earning (staker) where not is_registered;
-- The sort orders of the admins' lists. Rows before a far page are skipped by index-only scans: the included columns
-- contain the number of cycles run for an earning, or whether its stake is in the requested days. They never change.
create index earning_by_plan on earning (plan_code, started_at, tx_hash);
create index earning_by_start on earning (started_at, tx_hash);
create index earning_by_end on earning (ends_at, tx_hash) include (started_at, id);
create index earning_by_staker on earning (staker, tx_hash) include (id, plan_id, start_day, cycles);
create index earning_by_amount on earning (amount, tx_hash) include (id, plan_id, start_day, cycles);
create index earning_reward_tx_hash_idx on earning (reward, tx_hash);
create index earning_div_tx_hash_idx on earning (div(reward, cycles::numeric), tx_hash);
create index earning_staker_end on earning (tron_address_end(staker) text_pattern_ops);
create index earning_tx_hash_hex_end on earning (hex_end(tx_hash) text_pattern_ops);

-- The number of stakes of a plan by start day.
create table daily_stake_count (
  plan_id bigint not null references earning_plan,
  day date not null,
  stakes bigint not null,
  primary key (plan_id, day)
);

-- A stake announced by its holder with its transaction, until the chain shows that it exists or failed. `reason` is the
-- error code of the failure. `checked_block` is the final block at the last check.
create table announced_join (
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  user_id bigint not null,
  staker bytea not null check (octet_length(staker) = 20),
  plan_code text not null,
  amount numeric(78,0) not null check (amount > 0),
  reward numeric(78,0) not null check (reward >= 0),
  cycles integer not null check (cycles > 0),
  announced_at timestamptz not null,
  state text not null check (state in ('WAITING', 'FAILED', 'BOOKED')),
  reason text,
  checks integer not null default 0,
  checked_block bigint not null default 0,
  primary key (tx_hash, user_id),
  check ((state = 'FAILED') = (reason is not null))
);
create unique index announced_join_one_waiting on announced_join (staker, plan_code)
  where state = 'WAITING';
create index announced_join_waiting on announced_join (announced_at) where state = 'WAITING';
create index announced_join_by_staker on announced_join (staker, announced_at);
create index announced_join_by_time on announced_join (announced_at, tx_hash) where state <> 'BOOKED';
create index announced_join_staker_end on announced_join (tron_address_end(staker) text_pattern_ops);
create index announced_join_tx_hash_hex_end on announced_join (hex_end(tx_hash) text_pattern_ops);

-- All stakes in lists: those on chain, and those only announced.
create view stake_record as
  select id as earning_id, tx_hash, staker, is_registered, plan_code, amount, reward, cycles,
    started_at, ends_at, 'SUCCESS' as state, null::text as reason
  from earning
  union all
  select null, tx_hash, staker, true, plan_code, amount, reward, cycles, announced_at,
    announced_at + cycles * interval '24 hours', state, reason
  from announced_join where state <> 'BOOKED';

-- What the first cycles of a stake pay in all; with the last one it is exactly the whole reward.
create function reward_through(p_reward numeric, p_cycles integer, p_cycle integer) returns numeric
language sql immutable parallel safe as $$ select div(p_reward * p_cycle, p_cycles) $$;

-- The part of what the cycles after one and up to another pay that lapsed.
create function lapsed_reward(
  p_reward numeric, p_cycles integer, p_lapsed int4multirange, p_after integer, p_through integer
) returns numeric language sql immutable parallel safe as $$
  select coalesce(sum(reward_through(p_reward, p_cycles, upper(part) - 1)
    - reward_through(p_reward, p_cycles, lower(part) - 1)), 0)
  from unnest(p_lapsed * int4multirange(int4range(p_after + 1, greatest(p_after, p_through) + 1))) part
$$;

-- The cycles of a stake on some days, which end with the day through which its plan was run. The planner sees through
-- it. `cyclesOf` in @dct/rules is the same rule.
create function reward_cycles(
  p_start date, p_reward numeric, p_cycles integer, p_lapsed int4multirange, p_from date, p_through date
) returns table (day date, cycle integer, amount numeric, lapsed_amount numeric)
language sql immutable parallel safe as $$
  select p_start + n, n, case when p_lapsed @> n then 0 else pays.amount end,
    case when p_lapsed @> n then pays.amount end
  from generate_series(greatest(p_start + 1, p_from) - p_start, least(p_start + p_cycles, p_through) - p_start) n
    cross join lateral (
      select reward_through(p_reward, p_cycles, n) - reward_through(p_reward, p_cycles, n - 1) as amount) pays
$$;

-- The day through which each plan's rewards were distributed.
create table distribution_cursor (
  plan_id bigint primary key references earning_plan,
  plan_code text not null,
  cycles integer not null check (cycles > 0),
  through_day date not null
);

-- The totals that a day's run credited and let lapse; `row_count` counts all cycles, `lapsed_count` those that lapsed.
create table distribution_day (
  plan_id bigint not null references earning_plan,
  day date not null,
  ran_at timestamptz not null,
  row_count bigint not null,
  credited numeric(78,0) not null,
  lapsed numeric(78,0) not null,
  lapsed_count bigint not null default 0 check (lapsed_count between 0 and row_count),
  primary key (plan_id, day)
);
create index distribution_day_by_day on distribution_day (day);

-- A day that counts towards nobody's freeze, because holders could not claim for reasons beyond their control.
create table exempt_day (
  day date primary key,
  reason text not null check (reason in ('late_run', 'claims_unavailable')),
  recorded_at timestamptz not null
);

-- The same for one earning that was booked or settled late.
create table earning_exemption (
  earning_id bigint not null references earning (id),
  day date not null,
  reason text not null check (reason in ('late_booking', 'late_settlement')),
  primary key (earning_id, day)
);

-- Spans of time in which holders could claim. A day with too much time outside of them is exempt.
create table claim_availability (
  id bigint generated always as identity primary key,
  from_at timestamptz not null,
  to_at timestamptz not null,
  seen_at timestamptz not null,
  check (to_at >= from_at)
);
create index claim_availability_by_time on claim_availability (to_at);

-- What the holder of an earning was told about its time to claim, each once: `freeze DAY DAYS` or `until DAY DAYS`
-- (reminders), or `frozen`, `losing` or `claimable` with the last cycle claimed before. In business time.
create table earning_message (
  earning_id bigint not null references earning (id),
  about text not null check (about ~ '^((freeze|until) \d{4}-\d\d-\d\d|frozen|losing|claimable) \d+$'),
  written_at timestamptz not null,
  primary key (earning_id, about)
);

-- Stakes and what became of them, for claims, audit and reports.
create view earning_view as
  select id, stake_id, staker, plan_id, plan_code, amount, reward, cycles, started_at, start_day, claimed_through,
    expired_amount, expired_at, released_at, release_tx, tx_hash, lapsed
  from earning;
-- Announced stakes, for reports.
create view announced_join_view as
  select tx_hash, staker, plan_code, amount, announced_at, state, reason from announced_join;
-- Every cycle of every stake that was run, for audit and reports.
create view reward_cycle_view as
  select e.id as earning_id, r.day, r.cycle, r.amount, r.lapsed_amount
  from earning e join distribution_cursor c on c.plan_id = e.plan_id
    cross join lateral reward_cycles(e.start_day, e.reward, e.cycles, e.lapsed, e.start_day, c.through_day) r;
-- What each stake was paid so far, what was lost, and what a claim made now would take.
create view earning_reward_view as
  select e.id, e.plan_id, e.plan_code, run.cycle,
    reward_through(e.reward, e.cycles, run.cycle) - lost.in_all as credited, lost.in_all as lapsed,
    reward_through(e.reward, e.cycles, run.cycle)
      - reward_through(e.reward, e.cycles, least(run.cycle, e.claimed_through)) - lost.since_claim as unclaimed
  from earning e join distribution_cursor c on c.plan_id = e.plan_id
    cross join lateral (
      select greatest(0, least(e.cycles, c.through_day - e.start_day)) as cycle) run
    cross join lateral (
      select
        case when e.lapsed = '{}' then 0
          else lapsed_reward(e.reward, e.cycles, e.lapsed, 0, run.cycle) end as in_all,
        case when e.lapsed = '{}' then 0
          else lapsed_reward(e.reward, e.cycles, e.lapsed, e.claimed_through, run.cycle) end as since_claim) lost;
-- How far each plan was run, for audit.
create view distribution_cursor_view as select plan_id, through_day from distribution_cursor;
-- The sums of each daily run, for audit and reports.
create view distribution_day_view as select plan_id, day, row_count, credited, lapsed, lapsed_count from distribution_day;

-- Marks of a holder's stakes, booked and announced. How often an announced one was checked shows nowhere.
create view earning_mark as
  select staker, hash_record_extended(row('earning'::text, id, xmin), 0) as mark from earning
  union all
  select staker, hash_record_extended(row('join'::text, tx_hash, user_id, announced_at, plan_code, amount, state, reason), 0)
  from announced_join;
-- Marks of what changes the earnings of many holders at once: a plan's daily run, and days that count for nobody.
create view distribution_mark as
  select hash_record_extended(row('run'::text, plan_id, through_day), 0) as mark from distribution_cursor
  union all
  select hash_record_extended(row('exempt'::text, day), 0) from exempt_day;
