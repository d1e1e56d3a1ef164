import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import {
  type AuditCheck,
  compareAll,
  differingOnly,
  type Figures,
  holdPlan,
  MAX_LISTED,
  type PlanFigures,
} from '../audit-check.ts'

/** The cycles of each earning, row by row. */
export const earningChecks: readonly AuditCheck[] = [
  { name: 'every cycle that was run is recorded once', isFullOnly: true, run: cyclesAreWhole },
  {
    name: 'an earning’s credits are claimed or unclaimed',
    isFullOnly: true,
    run: creditsAreClaimed,
  },
  {
    name: 'archived cycles are claimed, and pay what was archived',
    isFullOnly: true,
    run: archiveIsClaimed,
  },
  {
    name: 'a plan’s credited account equals its unclaimed rewards',
    isFullOnly: true,
    run: unclaimedIsOwed,
  },
]

/**
 * Checks that the cycles are 1 to k without gaps, where k follows from the plan's cursor, and add up to the share of
 * the reward through k.
 */
async function cyclesAreWhole(db: DbOrTx) {
  const { rows } = await sql<PlanFigures>`
    with due as (
      select e.id, e.plan_code, e.reward, e.cycles,
        greatest(0, least(e.cycles, c.through_day - e.start_day)) as k
      from earning_view e left join distribution_cursor_view c on c.plan_id = e.plan_id),
    had as (
      select earning_id, sum(count)::bigint as count, max(last) as last, sum(total) as total from (
        select earning_id, count(*) as count, max(cycle) as last, sum(amount + coalesce(lapsed_amount, 0)) as total
        from reward_row_view group by earning_id
        union all
        select s.earning_id, s.last_day - s.first_day + 1, s.last_day - e.start_day, s.amount
        from reward_span_view s join earning_view e on e.id = s.earning_id) parts
      group by earning_id)
    select 'earning ' || due.id || ': ' || coalesce(had.count, 0) || ' of ' || k || ' cycles' as subject,
      due.plan_code as plan, div(reward * k, cycles) as expected, coalesce(had.total, 0) as found
    from due left join had on had.earning_id = due.id
    where coalesce(had.count, 0) <> k or coalesce(had.last, 0) <> k
      or coalesce(had.total, 0) <> div(reward * k, cycles)
    order by due.id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countEarnings(db), holdPlan(rows))
}

/** The amounts claimed, expired and unclaimed must add up to all that was credited. */
async function creditsAreClaimed(db: DbOrTx) {
  const { rows } = await sql<PlanFigures>`
    with had as (
      select id, sum(credited) as credited, sum(unclaimed) as unclaimed from (
        select r.earning_id as id, sum(r.amount) as credited,
          sum(r.amount) filter (where r.cycle > e.claimed_through) as unclaimed
        from reward_row_view r join earning_view e on e.id = r.earning_id group by 1
        union all
        select earning_id, sum(amount), 0 from reward_span_view where not is_lapsed group by 1) parts
      group by id),
    claims as (
      select earning_id as id, sum(amount) as claimed from claim_view where state <> 'cancelled' group by 1)
    select 'earning ' || e.id as subject, e.plan_code as plan, coalesce(had.credited, 0) as expected,
      coalesce(claims.claimed, 0) + coalesce(had.unclaimed, 0) + coalesce(e.expired_amount, 0) as found
    from earning_view e left join had using (id) left join claims using (id)
    where coalesce(had.credited, 0)
      <> coalesce(claims.claimed, 0) + coalesce(had.unclaimed, 0) + coalesce(e.expired_amount, 0)
    order by e.id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countEarnings(db), holdPlan(rows))
}

/** The amount of a span follows from its earning, and must still equal the amount that was archived. */
async function archiveIsClaimed(db: DbOrTx) {
  const { rows } = await sql<PlanFigures>`
    select 'earning ' || e.id || ', archived ' || s.first_day || ' to ' || s.last_day as subject, e.plan_code as plan,
      s.amount as expected, pays.amount as found
    from reward_span_view s join earning_view e on e.id = s.earning_id
      cross join lateral (
        select case when s.last_day - e.start_day > e.claimed_through then 0
          else div(e.reward * (s.last_day - e.start_day), e.cycles)
            - div(e.reward * (s.first_day - e.start_day - 1), e.cycles) end as amount) pays
    where s.amount <> pays.amount order by e.id, s.first_day limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countSpans(db), holdPlan(rows))
}

async function unclaimedIsOwed(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with unclaimed as (
      select e.plan_code as plan, sum(r.amount) as amount
      from earning_view e join reward_row_view r on r.earning_id = e.id and r.cycle > e.claimed_through group by 1),
    own as (
      select split_part(code, ':', 2) as plan, sum(credits - debits) as balance
      from ledger_account_view where asset = 'DCT' and code like 'credited:%' group by 1)
    select coalesce(own.plan, unclaimed.plan) as subject, coalesce(unclaimed.amount, 0) as expected,
      coalesce(own.balance, 0) as found
    from own full join unclaimed on unclaimed.plan = own.plan order by 1`.execute(db)
  return compareAll(rows, ({ subject }) => ({ kind: 'plan', planCode: subject }))
}

async function countEarnings(db: DbOrTx): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`select count(*) from earning_view`.execute(db)
  return rows[0]?.count ?? 0n
}

async function countSpans(db: DbOrTx): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`select count(*) from reward_span_view`.execute(db)
  return rows[0]?.count ?? 0n
}
