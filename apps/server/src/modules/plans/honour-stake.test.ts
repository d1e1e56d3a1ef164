import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { addDays, businessDayOf, DAY_MS, daysBetween, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { steadyReaders } from '../../testing/token-chain.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { remainingQuotas } from './describe-plans.ts'
import { honourStake } from './honour-stake.ts'
import type { Plan } from './plans.queries.ts'
import { releaseLapsedReservations } from './release-lapsed.ts'
import { reserveQuota } from './reserve-quota.ts'
import { updatePlan } from './update-plan.ts'

const database = useTestDatabase()
const clock = new ManualClock('2026-01-31T03:00:00Z')

beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-01-31T03:00:00Z')
})

const deps = () => ({
  db: database.db,
  clock,
  realClock,
  dctDecimals: 6,
  reservationCooldownMs: 0,
  ...steadyReaders(dct('1000')),
  isFollowing: async () => false,
  requestPlanCall: async () => undefined,
  recordAdminAction: async () => undefined,
})
const reserve = (user: TestUser, plan: Plan, amount = '50') =>
  reserveQuota(deps(), { user, planCode: plan.code, amount: dct(amount) })
const honour = (plan: Plan, reward: string, facts: { userId?: bigint; at?: Date } = {}) =>
  inTransaction(database.db, (tx) =>
    honourStake(tx, {
      ...{ planCode: plan.code, amount: dct('50'), durationDays: plan.durationDays },
      ...{ reward: dct(reward), at: clock.now(), ...facts },
    }),
  )
const change = (plan: Plan, wanted: Parameters<typeof updatePlan>[1]['change']) =>
  updatePlan(deps(), { planCode: plan.code, change: wanted, adminId: 1n })
const remaining = async (plan: Plan) => {
  const [current] = await database.db
    .selectFrom('earning_plan')
    .select('accumulating_since')
    .where('id', '=', plan.id)
    .execute()
  const accumulatingSince = (current?.accumulating_since ?? null) as Plan['accumulatingSince']
  return (await remainingQuotas(deps(), [{ ...plan, accumulatingSince }])).get(plan.id)
}

test('a stake uses its holder’s reservation, on the day of the reservation', async () => {
  const user = await givenUser(deps())
  const plan = await givenPlan(deps())
  clock.set('2026-01-31T16:55:00Z')
  await reserve(user, plan)
  clock.set('2026-01-31T17:03:00Z')
  const honoured = await honour(plan, '36', { userId: user.id })
  expect(honoured).toMatchObject({ day: '2026-01-31', hadReservation: true })
  clock.advanceMs(DAY_MS)
  await inTransaction(database.db, (tx) => releaseLapsedReservations(tx, clock.now()))
  expect(await remaining(plan)).toEqual({ daily: dct('2000'), annual: dct('9964') })
})

test('a stake of another amount than reserved counts with the staked amount', async () => {
  const user = await givenUser(deps())
  const plan = await givenPlan(deps())
  await reserve(user, plan, '50')
  await honour(plan, '7.2', { userId: user.id })
  expect(await remaining(plan)).toEqual({ daily: dct('1992.8'), annual: dct('9992.8') })
})

test('a stake without a reservation is honoured: the day’s remaining quota drops to 0, not below', async () => {
  const plan = await givenPlan(deps(), { dailyLimit: '30' })
  expect(await honour(plan, '36')).toMatchObject({ day: '2026-01-31', hadReservation: false })
  expect(await remaining(plan)).toEqual({ daily: 0n, annual: dct('9964') })
  clock.advanceMs(DAY_MS)
  expect(await remaining(plan)).toMatchObject({ daily: dct('30') })
})

test('a stake does not affect the reservations of others', async () => {
  const [user, other] = [await givenUser(deps()), await givenUser(deps())]
  const plan = await givenPlan(deps())
  await reserve(user, plan)
  await honour(plan, '36', { userId: other.id })
  expect(await remaining(plan)).toEqual({ daily: dct('1928'), annual: dct('9928') })
})

test('[T033] editing a plan between reservation and stake does not affect the stake', async () => {
  const user = await givenUser(deps())
  const plan = await givenPlan(deps())
  await reserve(user, plan)
  await change(plan, { dailyLimit: dct('1'), isActive: false, name: 'Other' })
  const honoured = await honour(plan, '36', { userId: user.id })
  expect(honoured).toMatchObject({
    hadReservation: true,
    plan: { rate: 7_200n, durationDays: 360 },
  })
  for (const set of ['code', 'total_reward', 'duration_days', 'rate_bps']) {
    const value = set === 'code' ? 'OTHER' : 1
    await expect(
      sql`update earning_plan set ${sql.ref(set)} = ${value}`.execute(database.db),
    ).rejects.toMatchObject({ code: '23514' })
  }
})

test('a stake booked days late counts on its own day and reduces the carry-over', async () => {
  const plan = await givenPlan(deps(), { isAccumulating: true, dailyLimit: '100' })
  const minedAt = clock.now()
  clock.advanceMs(2 * DAY_MS)
  await honour(plan, '36')
  expect(await remaining(plan)).toMatchObject({ daily: dct('264') })
  expect(await honour(plan, '36', { at: minedAt })).toMatchObject({ day: '2026-01-31' })
  expect(await remaining(plan)).toMatchObject({ daily: dct('228') })
})

test('the carry-over never shows more than is left in total', async () => {
  const plan = await givenPlan(deps(), { isAccumulating: true, dailyLimit: '4000' })
  clock.advanceMs(10 * DAY_MS)
  await honour(plan, '36')
  expect(await remaining(plan)).toEqual({ daily: dct('9964'), annual: dct('9964') })
})

test('the carry-over adds the unused quotas of the days since it was switched on, each with its own limit', async () => {
  const plan = await givenPlan(deps(), { dailyLimit: '100' })
  clock.advanceMs(5 * DAY_MS)
  expect(await remaining(plan)).toMatchObject({ daily: dct('100') })
  await change(plan, { isAccumulating: true })
  await honour(plan, '36')
  clock.advanceMs(DAY_MS)
  expect(await remaining(plan)).toMatchObject({ daily: dct('164') })
  await change(plan, { dailyLimit: dct('50') })
  expect(await remaining(plan)).toMatchObject({ daily: dct('114') })
  clock.advanceMs(2 * DAY_MS)
  expect(await remaining(plan)).toMatchObject({ daily: dct('214') })
  await change(plan, { isAccumulating: false })
  expect(await remaining(plan)).toMatchObject({ daily: dct('50') })
  await change(plan, { isAccumulating: true })
  clock.advanceMs(DAY_MS)
  expect(await remaining(plan)).toMatchObject({ daily: dct('100') })
})

type Step =
  | { do: 'days'; count: number }
  | { do: 'stake'; reward: number; daysAgo: number }
  | { do: 'limit'; limit: number }
  | { do: 'carry'; isOn: boolean }

/** The same rule, computed day by day from the whole history. */
function expectedRemaining(steps: readonly Step[], dailyLimit: number): number {
  const days = [{ limit: dailyLimit, used: 0, isFirstOfCarry: false }]
  let isCarrying = false
  for (const step of steps) {
    const today = days.at(-1) ?? { limit: 0, used: 0, isFirstOfCarry: false }
    if (step.do === 'limit') today.limit = step.limit
    if (step.do === 'carry') {
      if (step.isOn && !isCarrying) {
        for (const day of days) day.isFirstOfCarry = false
        today.isFirstOfCarry = true
      }
      isCarrying = step.isOn
    }
    if (step.do === 'stake') {
      const day = days.at(-1 - Math.min(step.daysAgo, days.length - 1))
      if (day) day.used += step.reward
    }
    if (step.do === 'days') {
      for (let each = 0; each < step.count; each += 1) {
        days.push({ limit: today.limit, used: 0, isFirstOfCarry: false })
      }
    }
  }
  const start = isCarrying ? days.findIndex((day) => day.isFirstOfCarry) : days.length - 1
  return days.slice(start).reduce((left, day) => Math.max(0, left + day.limit - day.used), 0)
}

test('after any history of stakes, days and edits the quota matches the rule', async () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('days' as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      do: fc.constant('stake' as const),
      reward: fc.integer({ min: 1, max: 150 }),
      daysAgo: fc.integer({ min: 0, max: 4 }),
    }),
    fc.record({ do: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ do: fc.constant('carry' as const), isOn: fc.boolean() }),
  )
  let made = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      made += 1
      clock.set('2026-01-31T03:00:00Z')
      const plan = await givenPlan(deps(), { code: `RULE-${made}`, dailyLimit: '100' })
      for (const each of steps) {
        if (each.do === 'days') clock.advanceMs(each.count * DAY_MS)
        if (each.do === 'limit') await change(plan, { dailyLimit: dct(`${each.limit}`) })
        if (each.do === 'carry') await change(plan, { isAccumulating: each.isOn })
        if (each.do === 'stake') {
          const age = daysBetween(businessDayOf(plan.createdAt), businessDayOf(clock.now()))
          const day = addDays(businessDayOf(clock.now()), -Math.min(each.daysAgo, age))
          await honour(plan, `${each.reward}`, { at: new Date(`${day}T03:00:00Z`) })
        }
      }
      const left = await remaining(plan)
      expect(left?.daily).toBe(dct(`${expectedRemaining(steps, 100)}`))
    }),
    { numRuns: 60 },
  )
})

test('concurrent stakes and reservations never lose a unit', async () => {
  const plan = await givenPlan(deps(), { dailyLimit: '2000' })
  const users: TestUser[] = []
  for (let each = 0; each < 12; each += 1) users.push(await givenUser(deps()))
  await Promise.all(
    users.flatMap((user, index) => [
      // The stakes may use up the quota first, so a refusal is acceptable here.
      reserve(user, plan, '10').catch(() => undefined),
      index % 2 === 0 ? honour(plan, '7.2', { userId: user.id }) : honour(plan, '1'),
    ]),
  )
  const sums = await sql<{ promised: bigint; reserved: bigint; live: bigint }>`
    select t.promised, t.reserved,
      (select coalesce(sum(reward), 0) from reservation where state = 'live') as live
    from plan_total t`.execute(database.db)
  const [day] = await database.db.selectFrom('plan_day').selectAll().execute()
  const row = sums.rows[0]
  expect(row?.promised).toBe(dct('49.2'))
  expect(row?.reserved).toBe(row?.live)
  expect(day).toMatchObject({ promised: row?.promised, reserved: row?.reserved })
})
