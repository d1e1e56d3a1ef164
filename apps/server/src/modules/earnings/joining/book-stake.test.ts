import { rewardThrough } from '@dct/rules/rewards'
import { beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { addDays, type BusinessDay, DAY_MS, realClock } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { someoneWaits, useTestDatabase, wipe } from '../../../testing/database.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { dct } from '../../../testing/plans.ts'
import {
  givenFundedPlan,
  givenStake,
  passDays,
  poolEvent,
  releasedEvent,
  runDueDays,
  stakeDeps,
  stakeEvents,
} from '../../../testing/stakes.ts'
import { givenUser } from '../../../testing/users.ts'
import { account, balanceOf } from '../../ledger/index.ts'
import { remainingQuotas } from '../../plans/describe-plans.ts'
import { bookPoolEvent } from '../../plans/index.ts'
import { createReleaseLoop } from '../capital.ts'
import { createSettleLoop } from '../distribution/settle-ended.ts'
import { adoptEarnings, takeClaimable } from '../index.ts'
import { bookStakingEvent } from './book-stake.ts'

const START = '2026-01-10T03:00:00Z'
const clock = new ManualClock(START)
const STAKER = Buffer.alloc(20, 1)
const database = useTestDatabase()
const deps = () => ({ ...stakeDeps({ db: database.db, clock }), clock })

beforeEach(async () => {
  await wipe(database.db)
  clock.set(START)
})

const balance = (of: ReturnType<typeof account.free>) =>
  balanceOf(database.db, { asset: 'DCT', account: of })

async function balances(planCode = 'PLAN-360') {
  const accounts = ['free', 'promised', 'credited', 'lapsed', 'principal', 'chainStaking'] as const
  const found = await Promise.all(accounts.map((name) => balance(account[name](planCode))))
  return Object.fromEntries(accounts.map((name, at) => [name, found[at] ?? 0n])) as Record<
    (typeof accounts)[number],
    bigint
  >
}

const earnings = () => database.db.selectFrom('earning').selectAll().orderBy('id').execute()
const rows = () => database.db.selectFrom('reward_cycle_view').selectAll().orderBy('day').execute()

test('[T029] a stake is booked with its capital and the promise of its whole reward', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: STAKER, amount: dct('50') })
  expect(await balances()).toEqual({
    free: dct('9964'),
    promised: dct('36'),
    credited: 0n,
    lapsed: 0n,
    principal: dct('50'),
    chainStaking: dct('50'),
  })
  const quota = (await remainingQuotas({ db: database.db, clock }, [plan])).get(plan.id)
  expect(quota).toMatchObject({ annual: dct('9964') })
})

test('[T029] a stake without a reservation is honoured, and uses up the rest of the day’s quota', async () => {
  const plan = await givenFundedPlan(deps(), { dailyLimit: '10' })
  await givenStake(deps(), { plan, staker: STAKER, amount: dct('50') })
  expect(await earnings()).toHaveLength(1)
  const quota = (await remainingQuotas({ db: database.db, clock }, [plan])).get(plan.id)
  expect(quota).toMatchObject({ daily: 0n })
})

test('[T027] booking a stake’s events again changes nothing', async () => {
  const plan = await givenFundedPlan(deps())
  const [, staked] = stakeEvents({ plan, staker: STAKER, startedAt: clock.now(), stakeId: 7n })
  await givenStake(deps(), { plan, staker: STAKER, stakeId: 7n })
  const before = await balances()
  if (staked === undefined) throw new Error('a stake has two events')
  for (let again = 0; again < 3; again += 1) {
    await inTransaction(database.db, (tx) => bookStakingEvent(deps(), tx, staked))
  }
  expect(await earnings()).toHaveLength(1)
  expect(await balances()).toEqual(before)
})

test('a stake in a plan unknown to the database is booked, and the plan is added from the contract', async () => {
  const known = await givenFundedPlan(deps())
  const funding = poolEvent(clock.now(), 'PlanFunded', {
    ...{ planCode: 'UNKNOWN-3', from: `0x${'11'.repeat(20)}`, amount: `${dct('100')}` },
  })
  await inTransaction(database.db, (tx) => bookPoolEvent(tx, funding))
  const plan = { ...known, code: 'UNKNOWN-3', durationDays: 3, rate: 333n }
  await givenStake(deps(), { plan, staker: STAKER, amount: dct('33.333333') })
  await givenStake(deps(), { plan, staker: Buffer.alloc(20, 2) })
  const [, adopted] = await database.db.selectFrom('earning_plan').selectAll().execute()
  expect(adopted).toMatchObject({
    ...{ code: 'UNKNOWN-3', duration_days: 3, rate_bps: 333, total_reward: dct('100') },
    ...{ is_active: false, chain_state: 'open' },
  })
  expect(await openAlarms(database.db)).toMatchObject([
    { kind: 'plan_adopted', subject: 'UNKNOWN-3' },
  ])
  await passDays(deps(), 3)
  const { promised, credited, free } = await balances('UNKNOWN-3')
  expect({ promised, credited, free }).toEqual({
    ...{ promised: 0n, credited: dct('1.442999'), free: dct('98.557001') },
  })
})

test('[T032] a second stake in the same plan cannot be booked: the contract forbids it', async () => {
  const plan = await givenFundedPlan(deps())
  await givenStake(deps(), { plan, staker: STAKER })
  await expect(givenStake(deps(), { plan, staker: STAKER })).rejects.toThrow('earning_once_a_plan')
})

test.each([1, 3, 40, 400])(
  '[T038] a stake booked %i days late gets all its missed cycles, and none older than a day counts',
  async (days) => {
    const plan = await givenFundedPlan(deps())
    await givenStake(deps(), { plan, staker: Buffer.alloc(20, 9) })
    const startedAt = clock.now()
    await passDays(deps(), days)
    await givenStake(deps(), { plan, staker: STAKER, startedAt, amount: dct('33.333333') })
    const [, late] = await earnings()
    const cycles = Math.min(360, days)
    const own = (await rows()).filter((row) => row.earning_id === late?.id)
    expect(own.map(({ cycle }) => cycle)).toEqual(Array.from({ length: cycles }, (_, at) => at + 1))
    expect(own.map(({ day }) => day)).toEqual(
      own.map(({ cycle }) => addDays('2026-01-10' as BusinessDay, cycle)),
    )
    const reward = dct('23.999999')
    const credited = rewardThrough({ reward, cycles: 360, cycle: cycles })
    expect(own.reduce((sum, { amount }) => sum + amount, 0n)).toBe(credited)
    // The booking happens exactly at the start of the last day, so the previous day is not yet more than a day ago.
    expect(late?.own_exempt_days).toBe(Math.max(0, cycles - (days >= 360 ? 0 : 2)))
    expect((await balances()).promised + (await balances()).credited).toBe(
      dct('7.2') + reward - (await balances()).lapsed,
    )
    const counts = await database.db
      .selectFrom('distribution_day')
      .select((eb) => eb.fn.sum<bigint>('row_count').as('rows'))
      .executeTakeFirst()
    expect(counts?.rows).toBe(BigInt((await rows()).length))
  },
)

test('a plan’s first stake may also be booked late, and its next cycle follows the next day', async () => {
  const plan = await givenFundedPlan(deps())
  const startedAt = clock.now()
  clock.advanceMs(5 * DAY_MS)
  await givenStake(deps(), { plan, staker: STAKER, startedAt })
  expect((await rows()).map(({ cycle }) => cycle)).toEqual([1, 2, 3, 4, 5])
  await passDays(deps(), 1)
  expect((await rows()).map(({ cycle }) => cycle)).toEqual([1, 2, 3, 4, 5, 6])
})

test('when a late booking and the daily run overlap, each cycle is written by exactly one of them', async () => {
  const plan = await givenFundedPlan(deps(), { totalReward: '100000', dailyLimit: '100000' })
  await givenStake(deps(), { plan, staker: Buffer.alloc(20, 250) })
  for (let round = 1; round <= 8; round += 1) {
    const startedAt = clock.now()
    clock.advanceMs(DAY_MS)
    const stakers = Array.from({ length: 4 }, (_, at) => Buffer.alloc(20, round * 10 + at))
    await Promise.all([
      runDueDays(deps()),
      ...stakers.map((staker) => givenStake(deps(), { plan, staker, startedAt })),
    ])
  }
  await runDueDays(deps())
  const today = '2026-01-18'
  const booked = await earnings()
  expect(booked).toHaveLength(1 + 8 * 4)
  for (const earning of booked) {
    const own = (await rows()).filter((row) => row.earning_id === earning.id)
    expect(own.map(({ cycle }) => cycle)).toEqual(own.map((_, at) => at + 1))
    expect(own.at(-1)?.day).toBe(today)
  }
})

test('an address that registers later owns its earlier stakes', async () => {
  const plan = await givenFundedPlan(deps())
  const user = await givenUser({ db: database.db, clock, realClock })
  const stranger = Buffer.alloc(20, 3)
  await givenStake(deps(), { plan, staker: user.address })
  await givenStake(deps(), { plan, staker: stranger })
  expect((await earnings()).map((earning) => earning.is_registered)).toEqual([true, false])
  await inTransaction(database.db, (tx) => adoptEarnings(tx, { address: stranger }))
  expect((await earnings()).map((earning) => earning.is_registered)).toEqual([true, true])
})

test('ended stakes are released automatically, each requested once and booked with the time of its release', async () => {
  const plan = await givenFundedPlan(deps(), { durationDays: 3, rateBps: 300 })
  const stakeId = await givenStake(deps(), { plan, staker: STAKER })
  clock.advanceMs(DAY_MS)
  await givenStake(deps(), { plan, staker: Buffer.alloc(20, 2) })
  const asked: bigint[] = []
  const loop = createReleaseLoop({
    db: database.db,
    clock,
    requestRelease: async (_tx, release) => {
      asked.push(release.stakeId)
    },
  })
  clock.set('2026-01-13T02:59:59Z')
  await loop.step()
  expect(asked).toEqual([])
  clock.set('2026-01-13T03:00:00Z')
  await Promise.all([loop.step(), loop.step(), loop.step()])
  expect(asked).toEqual([stakeId])

  const event = releasedEvent({ stakeId, staker: STAKER, amount: dct('10'), at: clock.now() })
  for (let again = 0; again < 2; again += 1) {
    await inTransaction(database.db, (tx) => bookStakingEvent(deps(), tx, event))
  }
  expect(await balances()).toMatchObject({ principal: dct('10'), chainStaking: dct('10') })
  expect((await earnings()).map((earning) => earning.released_at !== null)).toEqual([true, false])
})

test('rewards unclaimed 180 days after the end lapse once, and nothing can be claimed afterwards', async () => {
  const plan = await givenFundedPlan(deps(), { durationDays: 3, rateBps: 300 })
  await givenStake(deps(), { plan, staker: STAKER })
  await givenStake(deps(), { plan, staker: Buffer.alloc(20, 2) })
  await passDays(deps(), 4)
  const take = (staker: Buffer) =>
    inTransaction(database.db, (tx) =>
      takeClaimable(tx, { staker, planCode: plan.code, now: clock.now() }),
    )
  const loop = createSettleLoop({ db: database.db, clock })
  clock.set('2026-07-12T03:00:00Z')
  await loop.step()
  expect(await balances()).toMatchObject({ credited: dct('0.6'), lapsed: 0n })
  // A claim requested in the last second awaits its fee, and its amount does not lapse.
  expect(await take(STAKER)).toMatchObject({ amount: dct('0.3'), isAfterEnd: true })
  clock.set('2026-07-12T03:00:01Z')
  await expect(take(Buffer.alloc(20, 2))).rejects.toThrow('The time to claim')
  await Promise.all([loop.step(), loop.step()])
  await loop.step()
  expect(await balances()).toMatchObject({ credited: dct('0.3'), lapsed: dct('0.3') })
  const found = await earnings()
  expect(found.map(({ is_settled, expired_amount }) => [is_settled, expired_amount])).toEqual([
    [false, null],
    [true, dct('0.3')],
  ])
})

test('a claim in progress at the deadline keeps its amount', async () => {
  const plan = await givenFundedPlan(deps(), { durationDays: 3, rateBps: 300 })
  await givenStake(deps(), { plan, staker: STAKER })
  await passDays(deps(), 4)
  clock.set('2026-07-12T03:00:00Z')
  const loop = createSettleLoop({ db: database.db, clock })
  const settling = await inTransaction(database.db, async (tx) => {
    const key = { staker: STAKER, planCode: plan.code, now: clock.now() }
    const { amount } = await takeClaimable(tx, key)
    expect(amount).toBe(dct('0.3'))
    clock.set('2026-07-12T03:00:01Z')
    const step = loop.step()
    await Promise.race([step, someoneWaits(database.db)])
    return { step }
  })
  await settling.step
  expect(await balances()).toMatchObject({ lapsed: 0n })
  expect(await earnings()).toMatchObject([{ is_settled: false, expired_amount: null }])
})

test.each([
  ['the default limits', 36_500, 1_825_000n],
  ['the highest limits', 36_500, 365_000_000n],
])(
  'a stake in a plan that somebody opened with %s of the contract is booked',
  async (_limits, durationDays, rate) => {
    const known = await givenFundedPlan(deps())
    const funded = { planCode: 'THIEF', from: `0x${'11'.repeat(20)}`, amount: `${dct('2000000')}` }
    await inTransaction(database.db, (tx) =>
      bookPoolEvent(tx, poolEvent(clock.now(), 'PlanFunded', funded)),
    )
    const plan = { ...known, code: 'THIEF', durationDays, rate }
    await givenStake(deps(), { plan, staker: Buffer.alloc(20, 9), amount: dct('10') })
    expect(await database.db.selectFrom('earning').select('plan_code').execute()).toEqual([
      { plan_code: 'THIEF' },
    ])
  },
)
