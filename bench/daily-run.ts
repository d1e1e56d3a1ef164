import { sql } from 'kysely'
import { runNextDistribution } from '../apps/server/src/modules/earnings/distribution/run-distribution.ts'
import type { BusinessDay } from '../apps/server/src/platform/clock.ts'
import { addDays, startOfBusinessDay } from '../apps/server/src/platform/clock.ts'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { givenPlan } from '../apps/server/src/testing/plans.ts'
import { bytes, duration, ratio } from './figures.ts'
import type { Report } from './results.ts'
import { median, timed } from './support.ts'

const START = '2026-01-01' as BusinessDay
const PLAN = { planCode: 'PLAN-360', cycles: 360 }
const ROUNDS = 5

/**
 * Compares one plan's daily run with a bare INSERT … SELECT of a row for each of its cycles, which nobody writes any
 * more, alternating day by day. Then runs that many days more, one after the other.
 */
export async function benchDailyRun(
  db: Db,
  report: Report,
  { earnings, days }: { earnings: number; days: number },
): Promise<void> {
  const now = startOfBusinessDay(START)
  const plan = await givenPlan({ db, clock: { now: () => now } })
  await makeEarnings(db, { ...PLAN, planId: plan.id, startDay: START, earnings, lapsingOf: 50 })
  await createBareRows(db)
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const day = addDays(START, round)
    ours.push(await timed(() => runOne(db, day)))
    await stageRows(db, day)
    bare.push(await timed(() => insertBare(db)))
    await sql`truncate bare_row`.execute(db)
  }
  report(`daily run of ${earnings} earnings`, {
    'bare INSERT … SELECT, ms': duration(median(bare)),
    'daily run, ms': duration(median(ours)),
    'ratio (target: at most 0.15)': ratio(median(ours) / median(bare), { wanted: 'less' }),
  })
  if (days > 0) await benchDays(db, report, { earnings, days })
}

/** Nobody claims: one stake in fifty lapses from one of the days on. */
async function benchDays(
  db: Db,
  report: Report,
  { earnings, days }: { earnings: number; days: number },
): Promise<void> {
  const each: number[] = []
  for (let n = 1; n <= days; n += 1) {
    each.push(await timed(() => runOne(db, addDays(START, ROUNDS + n))))
  }
  report(`${days} daily runs of ${earnings} earnings, one after the other`, {
    'all, s': duration(each.reduce((sum, ms) => sum + ms, 0) / 1_000, 1),
    'one in two takes at most, ms': duration(median(each)),
    'the longest, ms': duration(Math.max(...each)),
  })
  await reportBytes(db, report)
}

/** Reports what a stake takes on disk. */
async function reportBytes(db: Db, report: Report): Promise<void> {
  const { rows } = await sql<{ stakes: bigint; table: bigint; indexes: bigint }>`
    select (select count(*) from earning) as stakes, pg_table_size('earning') as table,
      pg_indexes_size('earning') as indexes`.execute(db)
  const [size] = rows
  if (size === undefined) throw new Error('there are no stakes')
  const { stakes, table, indexes } = size
  report('Bytes of a stake', {
    table: bytes(Number(table / stakes)),
    indexes: bytes(Number(indexes / stakes)),
    'both together': bytes(Number((table + indexes) / stakes)),
  })
}

/** Creates a table for a row a cycle and day, with the constraints and keys that such rows need. */
async function createBareRows(db: Db): Promise<void> {
  await sql`
    create table bare_row (
      earning_id bigint not null,
      day date not null,
      cycle integer not null check (cycle > 0),
      amount numeric(78,0) not null check (amount >= 0),
      lapsed_amount numeric(78,0) check (lapsed_amount >= 0),
      primary key (earning_id, day),
      check (lapsed_amount is null or amount = 0))`.execute(db)
}

/** Copies the cycles of a day into a table, so that the baseline computes nothing. */
async function stageRows(db: Db, day: BusinessDay): Promise<void> {
  await sql`drop table if exists staged`.execute(db)
  await sql`
    create unlogged table staged as
    select e.id, r.* from earning e cross join lateral reward_cycles(
      e.start_day, e.reward, e.cycles, e.lapsed, ${day}::date, ${day}::date) r`.execute(db)
}

const insertBare = (db: Db) => sql`insert into bare_row select * from staged`.execute(db)

/** Runs the only plan's next day as soon as it begins. */
async function runOne(db: Db, day: BusinessDay): Promise<void> {
  const now = startOfBusinessDay(day)
  const deps = { db, areClaimsOpen: async () => true }
  const hasRun = await runNextDistribution(deps, { now, realNow: now })
  if (!hasRun) throw new Error(`no plan was due on ${day}`)
}

/** Inserts stakes of a plan that all began on one day, each by a different holder. */
async function makeEarnings(
  db: Db,
  made: {
    planId: bigint
    planCode: string
    cycles: number
    startDay: BusinessDay
    earnings: number
    /** Of so many stakes one freezes after 30 days, and the others only after their end. */
    lapsingOf: number
  },
): Promise<void> {
  const { planId, planCode, cycles, startDay, lapsingOf } = made
  const startedAt = startOfBusinessDay(startDay)
  await sql`
    insert into earning (stake_id, staker, is_registered, plan_id, plan_code, amount, reward, cycles, freeze_limit,
      started_at, ends_at, start_day, tx_hash, log_index, block_number, booked_at)
    select n, decode(lpad(to_hex(n), 40, '0'), 'hex'), true, ${planId}, ${planCode}, 10000000 + n % 40000001,
      div((10000000 + n % 40000001)::numeric * 7200, 10000), ${cycles},
      case when n % ${lapsingOf} = 0 then 30 else ${cycles}::integer end, ${startedAt}::timestamptz,
      ${startedAt}::timestamptz + make_interval(days => ${cycles}::integer), ${startDay}::date,
      decode(lpad(to_hex(n), 64, '0'), 'hex'), 0, n, ${startedAt}::timestamptz
    from generate_series(1, ${made.earnings}::bigint) n`.execute(db)
  await sql`insert into distribution_cursor values (${planId}, ${planCode}, ${cycles}, ${startDay})`.execute(
    db,
  )
  await sql`analyze earning`.execute(db)
}
