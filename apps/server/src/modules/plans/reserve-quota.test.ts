import { beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { createWorker } from '../../platform/database/jobs.ts'
import type { Refusal } from '../../platform/errors.ts'
import { createLogger } from '../../platform/logger.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { steadyReaders } from '../../testing/token-chain.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { remainingQuotas } from './describe-plans.ts'
import { plansJobs } from './plans.jobs.ts'
import type { Plan } from './plans.queries.ts'
import { type ReserveDeps, reserveQuota } from './reserve-quota.ts'

const MINUTE = 60_000
const database = useTestDatabase(30)
const clock = new ManualClock('2026-01-31T03:00:00Z')

beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-01-31T03:00:00Z')
})

const deps = (
  changes: Partial<ReserveDeps> = {},
): ReserveDeps & { realClock: typeof realClock } => ({
  db: database.db,
  clock,
  realClock,
  dctDecimals: 6,
  reservationCooldownMs: 10 * MINUTE,
  ...steadyReaders(dct('1000')),
  isFollowing: async () => false,
  ...changes,
})
const reserve = (user: TestUser, plan: Plan, amount = '50', changes: Partial<ReserveDeps> = {}) =>
  reserveQuota(deps(changes), { user, planCode: plan.code, amount: dct(amount) })
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'reserved',
    (error: Refusal) => error.code,
  )
const holders = async (count: number) => {
  const users: TestUser[] = []
  for (let each = 0; each < count; each += 1) users.push(await givenUser(deps()))
  return users
}
async function remaining(plan: Plan) {
  const left = await remainingQuotas(deps(), [plan])
  return left.get(plan.id)
}
const release = async () => {
  const handlers = plansJobs({ clock })
  const worker = createWorker({ db: database.db, clock, log: createLogger('silent'), handlers })
  while (!(await worker.step()));
}

test('[T028] of 64 concurrent requests for the last reservation of a day, one succeeds', async () => {
  const users = await holders(64)
  for (let round = 0; round < 3; round += 1) {
    const code = `DAILY-${round}`
    const plan = await givenPlan(deps(), { code, dailyLimit: '36' })
    await database.db.updateTable('reservation').set({ state: 'used' }).execute()
    const answers = await Promise.all(users.map((user) => codeOf(reserve(user, plan))))
    expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'DAILY_QUOTA_EXHAUSTED')).toHaveLength(63)
    expect(await remaining(plan)).toMatchObject({ daily: 0n })
  }
})

test('[T028] of 64 concurrent requests for the last three reservations of a plan, three succeed', async () => {
  const users = await holders(64)
  const plan = await givenPlan(deps(), { totalReward: '108', dailyLimit: '2000' })
  const answers = await Promise.all(users.map((user) => codeOf(reserve(user, plan))))
  expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(3)
  expect(answers.filter((answer) => answer === 'ANNUAL_QUOTA_EXHAUSTED')).toHaveLength(61)
  expect(await remaining(plan)).toEqual({ daily: 0n, annual: 0n })
})

test('[T028] a reservation belongs to the business day of its request, to the millisecond', async () => {
  const [early, late] = await holders(2)
  const plan = await givenPlan(deps(), { dailyLimit: '36' })
  clock.set('2026-01-31T16:59:59.999Z')
  expect((await reserve(early as TestUser, plan)).day).toBe('2026-01-31')
  expect(await codeOf(reserve(late as TestUser, plan))).toBe('DAILY_QUOTA_EXHAUSTED')
  clock.set('2026-01-31T17:00:00.000Z')
  expect((await reserve(late as TestUser, plan)).day).toBe('2026-02-01')
})

test('[T032] a user with many concurrent requests holds one reservation', async () => {
  const [user] = (await holders(1)) as [TestUser]
  const plan = await givenPlan(deps())
  const reservations = await Promise.all(Array.from({ length: 8 }, () => reserve(user, plan)))
  expect(new Set(reservations.map((reservation) => reservation.expiresAt.getTime())).size).toBe(1)
  expect(await remaining(plan)).toEqual({ daily: dct('1964'), annual: dct('9964') })
})

test('another request replaces the reservation and keeps its expiry', async () => {
  const [user] = (await holders(1)) as [TestUser]
  const first = await givenPlan(deps(), { code: 'PLAN-A' })
  const second = await givenPlan(deps(), { code: 'PLAN-B', rateBps: 21_600 })
  const reservation = await reserve(user, first)
  clock.advanceMs(3 * MINUTE)
  const moved = await reserve(user, second, '10')
  expect(moved).toMatchObject({ reward: dct('21.6'), expiresAt: reservation.expiresAt })
  expect(await remaining(first)).toEqual({ daily: dct('2000'), annual: dct('10000') })
  expect(await remaining(second)).toEqual({ daily: dct('1978.4'), annual: dct('9978.4') })
})

test('a refused request leaves the existing reservation unchanged', async () => {
  const [user] = (await holders(1)) as [TestUser]
  const first = await givenPlan(deps(), { code: 'PLAN-A' })
  const full = await givenPlan(deps(), { code: 'PLAN-B', dailyLimit: '1' })
  await reserve(user, first)
  expect(await codeOf(reserve(user, full))).toBe('DAILY_QUOTA_EXCEEDED')
  expect(await remaining(first)).toMatchObject({ daily: dct('1964') })
})

test('concurrent requests of one user for many plans result in one reservation', async () => {
  const [user] = (await holders(1)) as [TestUser]
  const plans: Plan[] = []
  for (let each = 0; each < 4; each += 1) {
    plans.push(await givenPlan(deps(), { code: `PLAN-${each}` }))
  }
  const answers = await Promise.all([...plans, ...plans].map((plan) => codeOf(reserve(user, plan))))
  expect(answers).toContain('reserved')
  expect(['reserved', 'CONFLICT']).toEqual(expect.arrayContaining(answers))
  const left = await Promise.all(plans.map(remaining))
  const held = left.filter((quota) => quota?.daily === dct('1964'))
  expect(held).toHaveLength(1)
  expect(left.filter((quota) => quota?.daily === dct('2000'))).toHaveLength(3)
})

test('an unused reservation is released after ten minutes, and its holder must wait', async () => {
  const [user, other] = (await holders(2)) as [TestUser, TestUser]
  const plan = await givenPlan(deps(), { dailyLimit: '36' })
  await reserve(user, plan)
  clock.advanceMs(10 * MINUTE - 1)
  await release()
  expect(await codeOf(reserve(other, plan))).toBe('DAILY_QUOTA_EXHAUSTED')
  clock.advanceMs(1)
  await release()
  expect(await remaining(plan)).toMatchObject({ daily: dct('36') })
  await expect(reserve(user, plan)).rejects.toMatchObject({
    code: 'RESERVATION_COOLDOWN',
    facts: { retryAfterSeconds: 600 },
  })
  clock.advanceMs(10 * MINUTE)
  expect(await codeOf(reserve(user, plan))).toBe('reserved')
})

test('an expired reservation blocks nothing, even before the worker releases it', async () => {
  const [user, other] = (await holders(2)) as [TestUser, TestUser]
  const plan = await givenPlan(deps(), { dailyLimit: '36' })
  await reserve(user, plan)
  clock.advanceMs(10 * MINUTE)
  expect(await codeOf(reserve(other, plan))).toBe('reserved')
})

test.each([
  ['0', 'AMOUNT_NOT_POSITIVE'],
  ['9.999999', 'AMOUNT_OUT_OF_RANGE'],
  ['50.000001', 'AMOUNT_OUT_OF_RANGE'],
  ['10', 'reserved'],
  ['50', 'reserved'],
])('[T031] %s DCT: %s', async (amount, outcome) => {
  const [user] = (await holders(1)) as [TestUser]
  const plan = await givenPlan(deps())
  expect(await codeOf(reserve(user, plan, amount))).toBe(outcome)
})

test('the estimate may equal the remaining quota, but not exceed it by a single unit', async () => {
  const [first, second] = (await holders(2)) as [TestUser, TestUser]
  const daily = await givenPlan(deps(), { code: 'PLAN-A', dailyLimit: '35.999999' })
  await expect(reserve(first, daily)).rejects.toMatchObject({
    message:
      'The estimated reward (36.000000 DCT) exceeds the remaining daily quota (35.999999 DCT)!',
  })
  const annual = await givenPlan(deps(), { code: 'PLAN-B', totalReward: '35.999999' })
  await expect(reserve(first, annual)).rejects.toMatchObject({
    message:
      'The estimated reward (36.000000 DCT) exceeds the remaining annual quota (35.999999 DCT)!',
  })
  const exact = await givenPlan(deps(), { code: 'PLAN-C', dailyLimit: '36', totalReward: '36' })
  expect(await codeOf(reserve(second, exact))).toBe('reserved')
})

test('[T043] reservations never exceed the contract’s free funds, whatever the plan’s quota', async () => {
  const users = await holders(5)
  const plan = await givenPlan(deps(), { totalReward: '10000', poolFree: '108' })
  const answers = await Promise.all(users.map((user) => codeOf(reserve(user, plan))))
  expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(3)
  expect(answers.filter((answer) => answer === 'ANNUAL_QUOTA_EXHAUSTED')).toHaveLength(2)
  expect(await remaining(plan)).toMatchObject({ annual: 0n })
})

test('[T043] a reservation that the contract cannot pay is refused', async () => {
  const [user] = (await holders(1)) as [TestUser]
  const plan = await givenPlan(deps(), { poolFree: '20' })
  expect(await remaining(plan)).toMatchObject({ annual: dct('20') })
  expect(await codeOf(reserve(user, plan))).toBe('ANNUAL_QUOTA_EXCEEDED')
})

test('a holder with too little DCT, a follower of the plan, or a request for a closed plan is refused', async () => {
  const [user] = (await holders(1)) as [TestUser]
  const plan = await givenPlan(deps())
  await expect(reserve(user, plan, '50', steadyReaders(dct('49.5')))).rejects.toMatchObject({
    code: 'DCT_BALANCE_TOO_LOW',
    facts: { balance: '49.500000' },
  })
  const isFollowing: ReserveDeps['isFollowing'] = async (_db, join) =>
    join.planCode === plan.code && join.address.equals(user.address)
  expect(await codeOf(reserve(user, plan, '50', { isFollowing }))).toBe('ALREADY_FOLLOWING')
  const closed = await givenPlan(deps(), { code: 'CLOSED', isActive: false })
  expect(await codeOf(reserve(user, closed))).toBe('PLAN_NOT_OPEN')
  await database.db.updateTable('earning_plan').set({ chain_state: 'opening' }).execute()
  expect(await codeOf(reserve(user, plan))).toBe('PLAN_OPENING')
  expect(await codeOf(reserve(user, { ...plan, code: 'NO-SUCH' }))).toBe('PLAN_NOT_FOUND')
  expect(await database.db.selectFrom('reservation').select('id').execute()).toHaveLength(0)
})
