import { rewardOfCycles, rewardThrough } from '@dct/rules/rewards'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  DAY_MS,
  startOfBusinessDay,
} from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { dct } from '../../../testing/plans.ts'
import {
  givenFundedPlan,
  givenStake,
  passDays,
  runDueDays,
  stakeDeps,
} from '../../../testing/stakes.ts'
import { account, balanceOf } from '../../ledger/index.ts'
import { closeOpenFee, restoreClaimable, takeClaimable, takePaidCycles } from '../index.ts'
import { insertPlanCursor, nextPlanToRun } from './distribution.queries.ts'
import { createDistributor } from './distributor.ts'
import { runNextDistribution } from './run-distribution.ts'

const START = '2026-01-10T03:00:00Z' // 10:00 in UTC+7
const clock = new ManualClock(START)
const database = useTestDatabase(24)
const deps = () => ({ ...stakeDeps({ db: database.db, clock }), clock })

beforeEach(async () => {
  await wipe(database.db)
  clock.set(START)
})

const staker = (index: number) => Buffer.alloc(20, index + 1)

const rows = () =>
  database.db
    .selectFrom('reward_cycle_view')
    .selectAll()
    .orderBy('earning_id')
    .orderBy('day')
    .execute()

async function expectLedgerToMatchRows(planCode: string) {
  const { credited, lapsed } = await database.db
    .selectFrom('reward_cycle_view')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<bigint>('amount'), eb.val(0n)).as('credited'),
      eb.fn.coalesce(eb.fn.sum<bigint>('lapsed_amount'), eb.val(0n)).as('lapsed'),
    ])
    .executeTakeFirstOrThrow()
  const balance = (of: ReturnType<typeof account.credited>) =>
    balanceOf(database.db, { asset: 'DCT', account: of })
  expect(await balance(account.credited(planCode))).toBe(credited)
  expect(await balance(account.lapsed(planCode))).toBe(lapsed)
  const days = await database.db
    .selectFrom('distribution_day')
    .select((eb) => [
      eb.fn.sum<bigint>('credited').as('credited'),
      eb.fn.sum<bigint>('lapsed').as('lapsed'),
      eb.fn.sum<bigint>('row_count').as('count'),
    ])
    .executeTakeFirstOrThrow()
  expect(days).toEqual({ credited, lapsed, count: BigInt((await rows()).length) })
}

const claim = (index: number, planCode = 'PLAN-360') =>
  inTransaction(database.db, (tx) =>
    takeClaimable(tx, { staker: staker(index), planCode, now: clock.now() }),
  )

test('[CONST-03] a cycle is one business day: cycle k is credited at the start of day start + k', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: staker(0) })
  clock.set('2026-01-10T16:59:59.999Z')
  await runDueDays(deps())
  expect(await rows()).toEqual([])

  clock.set('2026-01-10T17:00:00.000Z')
  await runDueDays(deps())
  clock.set('2026-01-11T17:00:00.000Z')
  await runDueDays(deps())
  const paid = { amount: 20_000n, lapsed_amount: null }
  expect(await rows()).toMatchObject([
    { day: '2026-01-11', cycle: 1, ...paid },
    { day: '2026-01-12', cycle: 2, ...paid },
  ])
  await expectLedgerToMatchRows(plan.code)
})

test('[T034] ten runs by 8 concurrent workers write each row exactly once', async () => {
  const plan = await givenFundedPlan(deps(), { totalReward: '100000', dailyLimit: '100000' })
  for (let index = 0; index < 40; index += 1) {
    await givenStake(deps(), { plan, staker: staker(index), amount: dct(`${10 + index}`) })
  }
  for (let day = 1; day <= 5; day += 1) {
    clock.set(startOfBusinessDay(addDays('2026-01-10' as BusinessDay, day)))
    const time = { now: clock.now(), realNow: clock.now() }
    const workers = Array.from({ length: 8 }, () => runNextDistribution(deps(), time))
    await Promise.all(workers)
    for (let again = 0; again < 10; again += 1) await runDueDays(deps())
  }
  expect(await rows()).toHaveLength(200)
  const transfers = await sql<{ kind: string; count: bigint }>`
    select kind, count(*) from ledger_transfer where kind like 'reward%' group by kind`.execute(
    database.db,
  )
  expect(transfers.rows).toEqual([{ kind: 'reward_credited', count: 5n }])
  await expectLedgerToMatchRows(plan.code)
})

test('[T041, T042] the last cycle is N, and all cycles sum to the promised reward', async () => {
  const short = await givenFundedPlan(deps(), { durationDays: 7, rateBps: 1_003 })
  await givenStake(deps(), { plan: short, staker: staker(0), amount: dct('10.000013') })
  await passDays(deps(), 12)
  const found = await rows()
  expect(found.map(({ cycle }) => cycle)).toEqual([1, 2, 3, 4, 5, 6, 7])
  const reward = dct('1.003001')
  expect(found.map(({ amount }) => amount)).toEqual(
    found.map(({ cycle }) =>
      rewardOfCycles({ reward, cycles: 7 }, { after: cycle - 1, through: cycle }),
    ),
  )
  expect(found.reduce((sum, { amount }) => sum + amount, 0n)).toBe(reward)
  const promised = account.promised(short.code)
  expect(await balanceOf(database.db, { asset: 'DCT', account: promised })).toBe(0n)
  await expectLedgerToMatchRows(short.code)
})

test('[CONST-06] [T040] after 30 cycles without a claim three more are credited, then cycles lapse until a claim', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: staker(0) })
  await passDays(deps(), 36)
  const found = await rows()
  const lapsed = found.filter((row) => row.lapsed_amount !== null)
  expect(lapsed).toMatchObject([
    { cycle: 34, amount: 0n, lapsed_amount: 20_000n },
    { cycle: 35, amount: 0n, lapsed_amount: 20_000n },
    { cycle: 36, amount: 0n, lapsed_amount: 20_000n },
  ])
  await expectLedgerToMatchRows(plan.code)

  expect(await claim(0)).toMatchObject({ firstCycle: 1, lastCycle: 36, amount: 33n * 20_000n })
  await passDays(deps(), 1)
  expect((await rows()).at(-1)).toMatchObject({ cycle: 37, amount: 20_000n, lapsed_amount: null })
  await expectLedgerToMatchRows(plan.code)
})

test('[T040] after a claim is undone, counting continues from the previous claim', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: staker(0) })
  await passDays(deps(), 32)
  const taken = await claim(0)
  await passDays(deps(), 4)
  await inTransaction(database.db, (tx) => restoreClaimable(tx, { ...taken, at: clock.now() }))
  await passDays(deps(), 1)
  // 36 cycles were credited; the 37th has lapsed, being the 37th without a claim.
  expect((await rows()).at(-1)).toMatchObject({ cycle: 37, amount: 0n, lapsed_amount: 20_000n })
  expect(await claim(0)).toMatchObject({ firstCycle: 1, lastCycle: 37, amount: 36n * 20_000n })
})

test('the oldest cycles that a chain paid unasked are claimed, and lapsed ones among them stay lost', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: staker(0) })
  await passDays(deps(), 35)
  const markPaid = (most: bigint) =>
    inTransaction(database.db, (tx) =>
      takePaidCycles(tx, { staker: staker(0), planCode: plan.code, most }),
    )
  expect(await markPaid(19_999n)).toBeUndefined()
  expect(await markPaid(99_999n)).toMatchObject({ firstCycle: 1, lastCycle: 4, amount: 80_000n })
  await passDays(deps(), 1)
  const lost = (await rows()).filter((row) => row.lapsed_amount !== null)
  expect(lost.map(({ cycle }) => cycle)).toEqual([34, 35])

  const taken = await claim(0)
  expect(taken).toMatchObject({ firstCycle: 5, lastCycle: 36, amount: 30n * 20_000n })
  expect(await markPaid(10_000_000n)).toBeUndefined()
  await inTransaction(database.db, (tx) => closeOpenFee(tx, taken))
  await passDays(deps(), 2)
  expect(await markPaid(10_000_000n)).toMatchObject({ firstCycle: 37, lastCycle: 38 })
})

test.each([{ days: 0 }, { days: 1 }, { days: 3 }, { days: 40 }, { days: 400 }, { days: 800 }])(
  '[T038] after $days days without the service every missed cycle is credited in order, and none has lapsed',
  async ({ days }) => {
    const plan = await givenFundedPlan(deps())
    await givenStake(deps(), { plan, staker: staker(0) })
    await passDays(deps(), 2)
    clock.advanceMs(days * DAY_MS)
    await runDueDays(deps(), days * DAY_MS)
    const found = await rows()
    const last = Math.min(360, 2 + days)
    expect(found.map(({ cycle }) => cycle)).toEqual(Array.from({ length: last }, (_, at) => at + 1))
    expect(found.map(({ day }) => day)).toEqual(
      found.map(({ cycle }) => addDays('2026-01-10' as BusinessDay, cycle)),
    )
    const reward = dct('7.2')
    expect(found.reduce((sum, { amount }) => sum + amount, 0n)).toBe(
      rewardThrough({ reward, cycles: 360, cycle: last }),
    )
    await expectLedgerToMatchRows(plan.code)
  },
)

test('[T038] days of an outage do not count towards freezing, later days do', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: staker(0) })
  await passDays(deps(), 20)
  clock.advanceMs(40 * DAY_MS)
  await runDueDays(deps(), 40 * DAY_MS)
  await passDays(deps(), 30)
  const exempt = await database.db
    .selectFrom('exempt_day')
    .select(['reason', (eb) => eb.fn.countAll<bigint>().as('days')])
    .groupBy('reason')
    .orderBy('reason')
    .execute()
  // The days from 20, when the outage began, to 59, which ran exactly a day late; day 60 ran on time.
  expect(exempt).toEqual([
    { reason: 'claims_unavailable', days: 2n },
    { reason: 'late_run', days: 38n },
  ])
  const firstLapsed = (await rows()).find((row) => row.lapsed_amount !== null)
  expect(firstLapsed?.cycle).toBe(19 + 40 + 14 + 1)
})

test('[T035] an interrupted run leaves nothing behind, and the next one writes the same rows', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: staker(0) })
  clock.set('2026-01-10T17:00:00.000Z')
  await sql`create function break_off() returns trigger language plpgsql as $$
    begin raise exception 'power cut'; end $$`.execute(database.db)
  for (const table of ['ledger_account', 'distribution_day'] as const) {
    await sql`create trigger broken after insert or update on ${sql.table(table)}
      for each statement execute function break_off()`.execute(database.db)
    const time = { now: clock.now(), realNow: clock.now() }
    await expect(runNextDistribution(deps(), time)).rejects.toThrow('power cut')
    await sql`drop trigger broken on ${sql.table(table)}`.execute(database.db)
    expect(await rows()).toEqual([])
    const credited = account.credited(plan.code)
    expect(await balanceOf(database.db, { asset: 'DCT', account: credited })).toBe(0n)
  }
  await sql`drop function break_off`.execute(database.db)
  await runDueDays(deps())
  expect(await rows()).toHaveLength(1)
  await expectLedgerToMatchRows(plan.code)
})

test('[T040] a claim concurrent with a cycle’s run either includes the cycle or not, and nothing is lost', async () => {
  const plan = await givenFundedPlan(deps(), { durationDays: 100 })
  for (let index = 0; index < 12; index += 1) {
    await givenStake(deps(), { plan, staker: staker(index) })
  }
  await passDays(deps(), 33)
  clock.set(startOfBusinessDay(addDays(businessDayOf(clock.now()), 1)))
  const [, ...claims] = await Promise.all([
    runDueDays(deps()),
    ...Array.from({ length: 12 }, (_, index) => claim(index)),
  ])
  for (const [index, taken] of claims.entries()) {
    const cycle34 = (await rows()).find(
      (row) => row.earning_id === taken.earningId && row.cycle === 34,
    )
    // If the claim is first, it takes 33 cycles, and the 34th is credited as the first of a new count; otherwise the
    // 34th lapses.
    const isBefore = taken.lastCycle === 33
    expect([index, cycle34?.lapsed_amount === null]).toEqual([index, isBefore])
    expect(taken.amount).toBe(33n * (dct('7.2') / 100n))
  }
  await expectLedgerToMatchRows(plan.code)
})

test('each plan has one transfer a day, and a plan without stakes is not run', async () => {
  const plan360 = await givenFundedPlan(deps())
  const plan720 = await givenFundedPlan(deps(), {
    code: 'PLAN-720',
    durationDays: 720,
    rateBps: 21_600,
  })
  await givenFundedPlan(deps(), { code: 'PLAN-X' })
  await givenStake(deps(), { plan: plan360, staker: staker(0) })
  await givenStake(deps(), { plan: plan720, staker: staker(0) })
  await passDays(deps(), 2)
  const days = await database.db
    .selectFrom('distribution_day')
    .select(['day', 'credited'])
    .orderBy('day')
    .orderBy('plan_id')
    .execute()
  expect(days).toEqual([
    { day: '2026-01-11', credited: 20_000n },
    { day: '2026-01-11', credited: 30_000n },
    { day: '2026-01-12', credited: 20_000n },
    { day: '2026-01-12', credited: 30_000n },
  ])
})

test('[T036] nothing is credited while the clock and the latest final block are more than 10 minutes apart', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: staker(0) })
  clock.set('2026-01-10T17:20:00Z')
  const finalAt = (time: string) =>
    sql`insert into chain_cursor values ('TRON', 1, ${Buffer.alloc(32)}, ${time}, 1, ${time}, 1, now())
      on conflict (chain) do update set final_time = excluded.final_time`.execute(database.db)
  const distributor = createDistributor({ ...deps(), maxClockSkewMs: 600_000 })
  const alarms = () =>
    database.db.selectFrom('alarm').select('kind').where('cleared_at', 'is', null).execute()

  expect(await distributor.step()).toBe(true)
  await finalAt('2026-01-10T17:09:59Z')
  expect(await distributor.step()).toBe(true)
  await finalAt('2026-01-10T17:30:01Z')
  expect(await distributor.step()).toBe(true)
  expect(await rows()).toEqual([])
  expect(await alarms()).toEqual([{ kind: 'clock_skew' }])

  await finalAt('2026-01-10T17:12:00Z')
  expect(await distributor.step()).toBe(false)
  expect(await distributor.step()).toBe(true)
  expect(await rows()).toHaveLength(1)
  expect(await alarms()).toEqual([])
})

test('the plan that is furthest behind is run first, regardless of its age', async () => {
  const { db } = database
  for (const [code, through] of [
    ['EARLIER', '2026-01-08'],
    ['LATER', '2026-01-06'],
    ['READY', '2026-01-10'],
  ] as const) {
    const { id } = await givenFundedPlan(deps(), { code })
    const cursor = { planId: id, planCode: code, cycles: 360, throughDay: through as BusinessDay }
    await inTransaction(db, (tx) => insertPlanCursor(tx, cursor))
  }
  const next = await nextPlanToRun(db, '2026-01-10' as BusinessDay)
  expect(next).toMatchObject({ planCode: 'LATER', throughDay: '2026-01-06' })
  expect(await nextPlanToRun(db, '2026-01-06' as BusinessDay)).toBeUndefined()
})
