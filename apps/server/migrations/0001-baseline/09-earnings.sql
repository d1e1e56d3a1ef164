-- Stakes as holders see them, and their daily rewards.

-- A booked stake. `own_exempt_days` counts the days for which only this earning is exempt; `expired_amount` was
-- unclaimed when the time to claim ended; `is_settled`: no reward is left to claim or to lapse.
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
  expired_amount numeric(78,0) check (expired_amount > 0),
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
create index earning_tx_hash_hex_end on earning (hex_end(tx_hash) text_pattern_ops)
  where tx_hash is not null;

-- The number of stakes of a plan by start day.
create table daily_stake_count (
  plan_id bigint not null references earning_plan,
  day date not null,
  stakes bigint not null,
  primary key (plan_id, day)
);

-- A stake announced by its holder with its transaction, until the chain shows that it exists or failed. `reason` is the
-- error code of the failure. `checked_block` is the final block at the last check.
create table join_submission (
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  user_id bigint not null,
  staker bytea not null check (octet_length(staker) = 20),
  plan_code text not null,
  amount numeric(78,0) not null check (amount > 0),
  reward numeric(78,0) not null check (reward >= 0),
  cycles integer not null check (cycles > 0),
  submitted_at timestamptz not null,
  state text not null check (state in ('WAITING', 'FAILED', 'BOOKED')),
  reason text,
  checks integer not null default 0,
  checked_block bigint not null default 0,
  primary key (tx_hash, user_id),
  check ((state = 'FAILED') = (reason is not null))
);
create unique index join_submission_one_waiting on join_submission (staker, plan_code)
  where state = 'WAITING';
create index join_submission_waiting on join_submission (submitted_at) where state = 'WAITING';
create index join_submission_by_staker on join_submission (staker, submitted_at);
create index join_submission_by_time on join_submission (submitted_at, tx_hash) where state <> 'BOOKED';
create index join_submission_staker_end on join_submission (tron_address_end(staker) text_pattern_ops);
create index join_submission_tx_hash_hex_end on join_submission (hex_end(tx_hash) text_pattern_ops)
  where tx_hash is not null;

-- All stakes in lists: those on chain, and those only announced.
create view stake_record as
  select id as earning_id, tx_hash, staker, is_registered, plan_code, amount, reward, cycles,
    started_at, ends_at, 'SUCCESS' as state, null::text as reason
  from earning
  union all
  select null, tx_hash, staker, true, plan_code, amount, reward, cycles, submitted_at,
    submitted_at + cycles * interval '24 hours', state, reason
  from join_submission where state <> 'BOOKED';

-- The reward that a cycle paid, or the amount lost when it lapsed. One partition per month, so that the indexes being
-- written stay small. Repeating a day's run is harmless: the key is the earning and the day.
create table reward_row (
  earning_id bigint not null,
  day date not null,
  cycle integer not null check (cycle > 0),
  amount numeric(78,0) not null check (amount >= 0),
  lapsed_amount numeric(78,0) check (lapsed_amount >= 0),
  primary key (earning_id, day),
  check (lapsed_amount is null or amount = 0)
) partition by range (day);
create index reward_row_lapsed on reward_row (earning_id, cycle) include (lapsed_amount)
  where lapsed_amount is not null;

-- Creates the partition of a day's month if it is missing. Attaching takes a lock that lets readers and writers of
-- other months continue; `create table … partition of` does not. The advisory lock (an arbitrary, otherwise unused
-- number) lets one caller at a time create one.
create function reward_row_ensure_month(p_day date) returns void language plpgsql as $$
declare
  v_from date := date_trunc('month', p_day::timestamp)::date;
  v_name text := 'reward_row_' || to_char(v_from, 'YYYYMM');
begin
  if to_regclass(v_name) is not null then return; end if;
  perform pg_advisory_xact_lock(7204613);
  if to_regclass(v_name) is not null then return; end if;
  execute format('create table %I (like reward_row including constraints)', v_name);
  execute format('alter table reward_row attach partition %I for values from (%L) to (%L)',
    v_name, v_from, (v_from + interval '1 month')::date);
end $$;

-- An archiving of a month's claimed cycles: their number and sums, and the digest of the file that contains them row by
-- row. A month can be archived again, for the cycles that were claimed since.
create table reward_archive (
  id bigint generated always as identity primary key,
  month date not null check (month = date_trunc('month', month::timestamp)::date),
  row_count bigint not null check (row_count > 0),
  credited numeric(78,0) not null check (credited >= 0),
  lapsed numeric(78,0) not null check (lapsed >= 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  archived_at timestamptz not null
);
create index reward_archive_by_month on reward_archive (month);

-- Consecutive archived cycles of an earning, all credited or all lapsed, in place of a `reward_row` for each. Their amounts
-- follow from the earning; `amount` is the sum that was archived, which the audit compares.
create table reward_span (
  earning_id bigint not null references earning (id),
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  is_lapsed boolean not null,
  amount numeric(78,0) not null check (amount >= 0),
  archive_id bigint not null references reward_archive,
  primary key (earning_id, first_day)
);
create index reward_span_lapsed on reward_span (earning_id) include (amount) where is_lapsed;
create index reward_span_of_archive on reward_span (archive_id);

-- The archived cycles of an earning on some days.
create function reward_span_rows(p_earning bigint, p_from date, p_to date)
returns table (earning_id bigint, day date, cycle integer, amount numeric, lapsed_amount numeric)
language sql stable as $$
  select s.earning_id, e.start_day + n, n, case when s.is_lapsed then 0 else pays.amount end,
    case when s.is_lapsed then pays.amount end
  from reward_span s join earning e on e.id = s.earning_id
    cross join lateral generate_series(
      greatest(s.first_day, p_from) - e.start_day, least(s.last_day, p_to) - e.start_day) n
    cross join lateral (
      select div(e.reward * n, e.cycles) - div(e.reward * (n - 1), e.cycles) as amount) pays
  where s.earning_id = p_earning and s.first_day <= p_to and s.last_day >= p_from
$$;

-- The cycles of an earning on some days, archived or not. The planner sees through both functions.
create function reward_rows(p_earning bigint, p_from date, p_to date)
returns table (earning_id bigint, day date, cycle integer, amount numeric, lapsed_amount numeric)
language sql stable as $$
  select r.earning_id, r.day, r.cycle, r.amount, r.lapsed_amount from reward_row r
  where r.earning_id = p_earning and r.day >= p_from and r.day <= p_to
  union all
  select s.earning_id, s.day, s.cycle, s.amount, s.lapsed_amount from reward_span_rows(p_earning, p_from, p_to) s
$$;

-- Replaces the partition of a month by one with only the rows of `kept`, or by none if there are none. The lock on the
-- whole table is taken last and held for a moment; whoever cannot have it within two seconds fails and changes nothing.
create function reward_row_replace_month(p_month date, p_kept regclass) returns void language plpgsql as $$
declare
  v_name text := 'reward_row_' || to_char(p_month, 'YYYYMM');
  v_is_empty boolean;
begin
  perform set_config('lock_timeout', '2s', true);
  execute format('select not exists (select from %s)', p_kept) into v_is_empty;
  execute format('alter table reward_row detach partition %I', v_name);
  execute format('drop table %I', v_name);
  if v_is_empty then return; end if;
  perform reward_row_ensure_month(p_month);
  execute format('insert into %I (earning_id, day, cycle, amount, lapsed_amount)
    select earning_id, day, cycle, amount, lapsed_amount from %s', v_name, p_kept);
end $$;

-- The day through which each plan's rewards were distributed.
create table distribution_cursor (
  plan_id bigint primary key references earning_plan,
  plan_code text not null,
  cycles integer not null check (cycles > 0),
  through_day date not null
);

-- The totals that a day's run credited and let lapse.
create table distribution_day (
  plan_id bigint not null references earning_plan,
  day date not null,
  ran_at timestamptz not null,
  row_count bigint not null,
  credited numeric(78,0) not null,
  lapsed numeric(78,0) not null,
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
create table earning_notice (
  earning_id bigint not null references earning (id),
  about text not null check (about ~ '^((freeze|until) \d{4}-\d\d-\d\d|frozen|losing|claimable) \d+$'),
  told_at timestamptz not null,
  primary key (earning_id, about)
);

-- Stakes and what became of them, for claims, audit and reports.
create view earning_view as
  select id, stake_id, staker, plan_id, plan_code, amount, reward, cycles, started_at, start_day, claimed_through,
    expired_amount, released_at, release_tx, tx_hash
  from earning;
-- Announced stakes, for reports.
create view join_submission_view as
  select tx_hash, staker, plan_code, amount, submitted_at, state, reason from join_submission;
-- Cycles, for audit and reports.
create view reward_row_view as select earning_id, day, cycle, amount, lapsed_amount from reward_row;
-- Archived cycles, for audit.
create view reward_span_view as select earning_id, first_day, last_day, is_lapsed, amount from reward_span;
-- How far each plan was run, for audit.
create view distribution_cursor_view as select plan_id, through_day from distribution_cursor;
-- The sums of each daily run, for audit and reports.
create view distribution_day_view as select plan_id, day, row_count, credited, lapsed from distribution_day;

-- Marks of a holder's stakes, booked and announced. How often an announced one was checked shows nowhere.
create view earning_mark as
  select staker, hash_record_extended(row('earning'::text, id, xmin), 0) as mark from earning
  union all
  select staker, hash_record_extended(row('join'::text, tx_hash, user_id, submitted_at, plan_code, amount, state, reason), 0)
  from join_submission;
-- Marks of what changes the earnings of many holders at once: a plan's daily run, and days that count for nobody.
create view distribution_mark as
  select hash_record_extended(row('run'::text, plan_id, through_day), 0) as mark from distribution_cursor
  union all
  select hash_record_extended(row('exempt'::text, day), 0) from exempt_day;
