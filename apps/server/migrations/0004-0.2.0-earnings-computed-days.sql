-- The cycles of a stake follow from the stake and from when it lapsed: no row a day is needed for them.

-- `lapsed`: the cycles that lapsed. The last range is open while the stake is lapsing.
alter table earning add column lapsed int4multirange not null default '{}'
  check (lapsed <@ '{[1,)}'::int4multirange);

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

-- Every cycle of every stake that was run, for audit and reports.
create view reward_cycle_view as
  select e.id as earning_id, r.day, r.cycle, r.amount, r.lapsed_amount
  from earning e join distribution_cursor c on c.plan_id = e.plan_id
    cross join lateral reward_cycles(e.start_day, e.reward, e.cycles, e.lapsed, e.start_day, c.through_day) r;

-- The decisions that earlier daily runs recorded row by row.
update earning e set lapsed = l.cycles
from (
  select earning_id, range_agg(cycles) as cycles from (
    select r.earning_id, case when r.day = c.through_day and r.cycle > e.claimed_through
      then int4range(r.cycle, null) else int4range(r.cycle, r.cycle + 1) end as cycles
    from reward_row r join earning e on e.id = r.earning_id
      join distribution_cursor c on c.plan_id = e.plan_id
    where r.lapsed_amount is not null
    union all
    select s.earning_id, int4range(s.first_day - e.start_day, s.last_day - e.start_day + 1)
    from reward_span s join earning e on e.id = s.earning_id where s.is_lapsed) parts
  group by earning_id) l
where l.earning_id = e.id;
