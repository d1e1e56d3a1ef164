import { sql } from 'kysely'
import { runNextDistribution } from '../apps/server/src/modules/earnings/distribution/run-distribution.ts'
import type { BusinessDay } from '../apps/server/src/platform/clock.ts'
import { addDays, startOfBusinessDay } from '../apps/server/src/platform/clock.ts'
import type { Db } from '../apps/server/src/platform/db.ts'
import { givenPlan } from '../apps/server/src/testing/plans.ts'
import { median, type Report, timed } from './support.ts'

const START = '2026-01-01' as BusinessDay
const ROUNDS = 5

/** Compares one plan's daily run with a bare INSERT … SELECT of the same rows, alternating day by day. */
export async function benchDailyRun(db: Db, report: Report, earnings: number): Promise<void> {
  const now = startOfBusinessDay(START)
  const plan = await givenPlan({ db, clock: { now: () => now } })
  await makeEarnings(db, { planId: plan.id, earnings })
  await sql`create table bare_row (like reward_row including constraints) partition by range (day)`.execute(
    db,
  )
  await sql`create table bare_row_all partition of bare_row for values from ('2026-01-01') to ('2027-01-01')`.execute(
    db,
  )
  await sql`alter table bare_row add primary key (earning_id, day)`.execute(db)
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const day = addDays(START, round)
    ours.push(await timed(() => runOne(db, day)))
    bare.push(
      await timed(() =>
        sql`insert into bare_row select earning_id, day, cycle, amount, lapsed_amount
          from reward_row where day = ${day}`.execute(db),
      ),
    )
  }
  const ratio = median(ours) / median(bare)
  report(`daily run of ${earnings} earnings`, {
    'bare INSERT … SELECT, ms': median(bare).toFixed(0),
    'daily run, ms': median(ours).toFixed(0),
    'ratio (to stay below 1.5)': ratio.toFixed(2),
  })
}

async function runOne(db: Db, day: BusinessDay): Promise<void> {
  const now = startOfBusinessDay(day)
  const deps = { db, areClaimsOpen: async () => true }
  const hasRun = await runNextDistribution(deps, { now, realNow: now })
  if (!hasRun) throw new Error(`no plan was due on ${day}`)
}

async function makeEarnings(db: Db, made: { planId: bigint; earnings: number }): Promise<void> {
  const startedAt = startOfBusinessDay(START)
  await sql`
    insert into earning (stake_id, staker, is_registered, plan_id, plan_code, amount, reward, cycles, freeze_limit,
      started_at, ends_at, start_day, tx_hash, log_index, block_number, booked_at)
    select n, decode(lpad(to_hex(n), 40, '0'), 'hex'), true, ${made.planId}, 'PLAN-360', 10000000 + n % 40000001,
      div((10000000 + n % 40000001)::numeric * 7200, 10000), 360, 30, ${startedAt}::timestamptz,
      ${startedAt}::timestamptz + interval '360 days', ${START}::date, decode(lpad(to_hex(n), 64, '0'), 'hex'), 0, n,
      ${startedAt}::timestamptz
    from generate_series(1, ${made.earnings}::bigint) n`.execute(db)
  await sql`insert into distribution_cursor values (${made.planId}, 'PLAN-360', 360, ${START})`.execute(
    db,
  )
  await sql`analyze earning`.execute(db)
}
