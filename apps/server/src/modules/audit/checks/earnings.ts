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
import { cycleSums } from './cycle-sums.ts'

/** The cycles of each earning, which follow from it. */
export const earningChecks: readonly AuditCheck[] = [
  {
    name: 'the days of a plan are what the cycles of its stakes paid',
    isFullOnly: true,
    run: daysEqualCycles,
  },
  {
    name: 'an earning’s credits are claimed or unclaimed',
    isFullOnly: true,
    run: creditsAreClaimed,
  },
  {
    name: 'a plan’s credited account equals its unclaimed rewards',
    isFullOnly: true,
    run: unclaimedIsOwed,
  },
]

/** The cycles that were run for each earning, and what they credited and let lapse. */
const AFTER_CLAIM = sql`least(run.cycle, e.claimed_through)`
const SO_FAR = cycleSums({ after: sql`0`, through: sql`run.cycle` })
const SINCE_CLAIM = cycleSums({ after: AFTER_CLAIM, through: sql`run.cycle` })
const EARNINGS = sql`
  select e.id, e.plan_id, e.plan_code, e.expired_amount, run.cycle, ${SO_FAR.credited} as credited,
    ${SO_FAR.lapsed} as lapsed, ${SINCE_CLAIM.credited} as unclaimed
  from earning_view e left join distribution_cursor_view c on c.plan_id = e.plan_id
    cross join lateral (
      select coalesce(greatest(0, least(e.cycles, c.through_day - e.start_day)), 0) as cycle) run`

/** The totals that the daily runs recorded must be those of all cycles from the first day to the last one run. */
async function daysEqualCycles(db: DbOrTx) {
  const { rows } = await sql<PlanFigures>`
    with cycles as (
      select plan_id, sum(cycle)::numeric as count, sum(credited) as credited, sum(lapsed) as lapsed
      from (${EARNINGS}) e group by 1),
    days as (
      select plan_id, sum(row_count) as count, sum(credited) as credited, sum(lapsed) as lapsed
      from distribution_day_view group by 1)
    select p.code || ' ' || figure.name as subject, p.code as plan, coalesce(figure.expected, 0) as expected,
      coalesce(figure.found, 0) as found
    from earning_plan_view p left join cycles c on c.plan_id = p.id left join days d on d.plan_id = p.id
      cross join lateral (values ('cycles', c.count, d.count), ('credited', c.credited, d.credited),
        ('lapsed', c.lapsed, d.lapsed)) figure (name, expected, found)
    order by 1`.execute(db)
  return compareAll(rows, holdPlan(rows))
}

/** The amounts claimed, paid unasked, expired and unclaimed must add up to all that was credited. */
async function creditsAreClaimed(db: DbOrTx) {
  const { rows } = await sql<PlanFigures>`
    with claims as (
      select earning_id as id, sum(amount) as claimed from claim_view where state <> 'cancelled' group by 1),
    unasked as (
      select split_part(cause, ':', 2)::bigint as id, sum(amount) as paid from payout_view
      where cause like 'paid-cycles:%' group by 1),
    sums as (
      select e.id, e.plan_code, e.credited, coalesce(claims.claimed, 0) + coalesce(unasked.paid, 0) + e.unclaimed
        + coalesce(e.expired_amount, 0) as used
      from (${EARNINGS}) e left join claims using (id) left join unasked using (id))
    select 'earning ' || id as subject, plan_code as plan, credited as expected, used as found
    from sums where credited <> used order by id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countEarnings(db), holdPlan(rows))
}

async function unclaimedIsOwed(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with unclaimed as (
      select plan_code as plan, sum(unclaimed) as amount from (${EARNINGS}) e group by 1),
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
