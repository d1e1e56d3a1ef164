-- Rows for cycles are gone: every reader computes them from the stakes (0004).
drop view reward_row_view, reward_span_view;
drop function reward_rows(bigint, date, date);
drop function reward_span_rows(bigint, date, date);
drop function reward_row_replace_month(date, regclass);
drop function reward_row_ensure_month(date);
drop table reward_span, reward_archive, reward_row;

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

-- Stakes and what became of them, for claims, audit and reports.
create or replace view earning_view as
  select id, stake_id, staker, plan_id, plan_code, amount, reward, cycles, started_at, start_day, claimed_through,
    expired_amount, released_at, release_tx, tx_hash, lapsed
  from earning;
