import { EarningPlan } from '@dct/api-contract/plans'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { steadyReaders } from '../../testing/token-chain.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { honourStake } from './honour-stake.ts'
import { plansRoutes } from './plans.routes.ts'

const database = useTestDatabase()
let app: App
let user: TestUser
let admin: TestUser
const clock = new ManualClock('2026-01-31T03:00:00Z')

beforeAll(async () => {
  const { db } = database
  app = await createTestApp({ db, realClock })
  await app.register(plansRoutes, {
    prefix: '/api',
    db,
    clock,
    dctDecimals: 6,
    reservationCooldownMs: 600_000,
    ...steadyReaders(dct('1000')),
    isFollowing: async () => false,
    requireConsent: async () => undefined,
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-01-31T03:00:00Z')
  user = await givenUser(deps())
  admin = await givenUser(deps(), { role: 'admin' })
})

const deps = () => ({ db: database.db, clock, realClock })

async function get(path: string, who: TestUser | undefined = user) {
  const headers = who === undefined ? {} : bearer(who)
  const answer = await app.inject({ url: `/api${path}`, headers })
  return { status: answer.statusCode, body: answer.json() }
}
async function reserve(code: string, payload: object, who: TestUser = user) {
  const url = `/api/user/earning-plans/${code}/reserve`
  const answer = await app.inject({ method: 'POST', url, payload, headers: bearer(who) })
  return { status: answer.statusCode, body: answer.json() }
}
type Plans = { earning_plans: { plan_code: string }[] }
const codesOf = (body: Plans) => body.earning_plans.map((plan) => plan.plan_code)

test('[ENT-04] a plan has all its fields', async () => {
  await givenPlan(deps(), { isAccumulating: true })
  await reserve('PLAN-360', { amount: '50' })
  const { body } = await get('/user/earning-plans')
  expect(body.earning_plans).toEqual([
    {
      plan_code: 'PLAN-360',
      name: 'Plan 360',
      total_reward: '10000.000000',
      duration_days: 360,
      total_percentage: '72',
      daily_limit: '2000.000000',
      max_token_allowed: '13888.888888',
      remaining_daily_quota: '1964.000000',
      remaining_daily_limit: '1964.000000',
      remaining_annual_quota: '9964.000000',
      is_accumulation_active: true,
      is_active: true,
      chain_state: 'open',
      created_at: '2026-01-31T03:00:00.000Z',
    },
  ])
  expect(Value.Check(EarningPlan, body.earning_plans[0])).toBe(true)
})

test('[API-13, API-51, API-04] plans are paged with their total, latest first', async () => {
  for (let each = 1; each <= 12; each += 1) {
    clock.advanceMs(1_000)
    await givenPlan(deps(), { code: `PLAN-${each}`, name: `Name ${each}`, durationDays: each })
  }
  const first = await get('/user/earning-plans')
  expect(first.body).toMatchObject({ total: 12, totalPages: 2, page: 1, limit: 10 })
  expect(first.body.plans).toEqual(first.body.earning_plans)
  expect(codesOf(first.body)).toEqual(
    Array.from({ length: 10 }, (_, index) => `PLAN-${12 - index}`),
  )
  const second = await get('/user/earning-plans?page=2')
  expect(codesOf(second.body)).toEqual(['PLAN-2', 'PLAN-1'])
  const sorted = await get(
    '/user/earning-plans?page=1&limit=3&sort_by=duration_days&sort_order=asc&search=',
  )
  expect(codesOf(sorted.body)).toEqual(['PLAN-1', 'PLAN-2', 'PLAN-3'])
  const found = await get('/user/earning-plans?search=name%2011')
  expect(codesOf(found.body)).toEqual(['PLAN-11'])
  expect(found.body.total).toBe(1)
})

test('every sortable column sorts in both directions', async () => {
  await givenPlan(deps(), { code: 'A', totalReward: '10', rateBps: 100, isAccumulating: true })
  clock.advanceMs(1_000)
  const other = { durationDays: 720, rateBps: 21_600, dailyLimit: '9', isActive: false }
  await givenPlan(deps(), { code: 'B', name: 'A name', ...other })
  const rising = { plan_code: 'A', name: 'B', duration_days: 'A', total_reward: 'A' }
  const more = { total_percentage: 'A', daily_limit: 'B', created_at: 'A', is_active: 'B' }
  const last = { is_accumulation_active: 'B', max_token_allowed: 'A' }
  for (const [column, first] of Object.entries({ ...rising, ...more, ...last })) {
    const asc = await get(`/user/earning-plans?sort_by=${column}&sort_order=asc`)
    const desc = await get(`/user/earning-plans?sort_by=${column}&sort_order=desc`)
    expect([column, codesOf(asc.body)[0]]).toEqual([column, first])
    expect(codesOf(desc.body)).toEqual(codesOf(asc.body).reverse())
  }
})

test('[API-14, API-52] the list for select fields contains every plan', async () => {
  for (let each = 1; each <= 12; each += 1) await givenPlan(deps(), { code: `PLAN-${each}` })
  const { body } = await get('/user/earning-plan-lists')
  expect(body.earning_plans).toHaveLength(12)
  expect(body.plans).toEqual(body.earning_plans)
})

test('[API-15, API-55] a quota is the amount left of the day and of the plan', async () => {
  const plan = await givenPlan(deps(), { isAccumulating: true })
  await inTransaction(database.db, (tx) =>
    honourStake(tx, {
      ...{ planCode: 'PLAN-360', amount: dct('50'), durationDays: 360 },
      ...{ reward: dct('500'), at: clock.now() },
    }),
  )
  expect(await get('/user/earning-plans/PLAN-360/check-quota')).toEqual({
    status: 200,
    body: {
      plan_code: plan.code,
      business_date: '2026-01-31',
      remaining_daily_limit: '1500.000000',
      remaining_daily_quota: '1500.000000',
      remaining_annual_quota: '9500.000000',
    },
  })
  clock.advanceMs(DAY_MS)
  const tomorrow = await get('/user/earning-plans/PLAN-360/check-quota')
  expect(tomorrow.body).toMatchObject({
    business_date: '2026-02-01',
    remaining_daily_limit: '3500.000000',
  })
})

test('a reservation returns the reserved amount and its expiry', async () => {
  await givenPlan(deps())
  expect(await reserve('PLAN-360', { amount: 12.5 })).toEqual({
    status: 200,
    body: {
      plan_code: 'PLAN-360',
      amount: '12.500000',
      reward: '9.000000',
      duration_days: 360,
      business_date: '2026-01-31',
      expires_at: '2026-01-31T03:10:00.000Z',
    },
  })
})

test('[JOIN-12, JOIN-13] the server also refuses amounts outside of 10 to 50 DCT', async () => {
  await givenPlan(deps())
  expect(await reserve('PLAN-360', { amount: '0' })).toMatchObject({
    status: 422,
    body: { message: 'The amount entered must be greater than 0!' },
  })
  for (const amount of ['9.99', 50.01]) {
    expect(await reserve('PLAN-360', { amount })).toMatchObject({
      status: 422,
      body: { message: 'The amount entered must be between 10 and 50 DCT!' },
    })
  }
  expect((await reserve('PLAN-360', { amount: '10' })).status).toBe(200)
  expect((await reserve('PLAN-360', { amount: '50' })).status).toBe(200)
})

test('[JOIN-14, JOIN-15] the server also refuses a join whose quota has run out', async () => {
  const plan = await givenPlan(deps(), { totalReward: '36', dailyLimit: '2000' })
  await inTransaction(database.db, (tx) =>
    honourStake(tx, {
      ...{ planCode: plan.code, amount: dct('50'), durationDays: 360 },
      ...{ reward: dct('36'), at: clock.now() },
    }),
  )
  expect((await reserve('PLAN-360', { amount: '50' })).body.message).toBe(
    "The annual quota for this plan has run out.Can't join.",
  )
  const daily = await givenPlan(deps(), { code: 'PLAN-720', dailyLimit: '36' })
  await inTransaction(database.db, (tx) =>
    honourStake(tx, {
      ...{ planCode: daily.code, amount: dct('50'), durationDays: 360 },
      ...{ reward: dct('36'), at: clock.now() },
    }),
  )
  expect((await reserve('PLAN-720', { amount: '50' })).body.message).toBe(
    'The daily quota for this plan has run out.Try again tomorrow!',
  )
})

test.each(['10.0000001', '1e1', '-10', 'NaN', '10 ', '', '٣٠', 'Infinity', '0x10', '+10', '1,0'])(
  '[T031] the amount %s is refused with the field’s name',
  async (amount) => {
    await givenPlan(deps())
    const answer = await reserve('PLAN-360', { amount })
    expect(answer).toMatchObject({ status: 400, body: { details: { field: 'amount' } } })
  },
)

test('[T031] amounts of another type are refused', async () => {
  await givenPlan(deps())
  for (const amount of [null, [10], { value: 10 }, true, 1e21, 10.00000001]) {
    expect((await reserve('PLAN-360', { amount })).status, JSON.stringify(amount)).toBe(400)
  }
  expect((await reserve('PLAN-360', { amount: 2 ** 53 + 1 })).status).toBe(422)
})

test('[T012] a reservation accepts no field but the amount', async () => {
  await givenPlan(deps())
  for (const field of ['user_id', 'reward', 'expires_at', 'tron_address', 'state']) {
    const answer = await reserve('PLAN-360', { amount: '10', [field]: '1' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } })
  }
})

test.each(['NO-SUCH', "'; drop table earning_plan; --", '%25', 'é'])(
  'the plan %s does not exist',
  async (code) => {
    await givenPlan(deps())
    const path = `/user/earning-plans/${encodeURIComponent(code)}/check-quota`
    expect(await get(path)).toMatchObject({ status: 404, body: { code: 'PLAN_NOT_FOUND' } })
  },
)

test('a plan code with a NUL is refused', async () => {
  await givenPlan(deps())
  const answer = await get('/user/earning-plans/A%00B/check-quota')
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
})

test.each([
  'sort_by=id;drop table earning_plan',
  'sort_by=(select 1)',
  'sort_by=__proto__',
  'sort_order=asc--',
  'sort_by=name&sort_by=code',
  'sort_by[]=name',
  'where=1',
])('[T090] the list is not sorted by %s', async (query) => {
  await givenPlan(deps())
  expect((await get(`/user/earning-plans?${query}`)).status).toBe(400)
})

test.each([
  ['limit=1000000000', 400],
  ['limit=0', 400],
  ['limit=101', 400],
  ['limit=100', 200],
  ['page=0', 400],
  ['page=-1', 400],
  ['page=9223372036854775808', 400],
  ['page=1.5', 400],
  ['page=x', 400],
  ['page=99999&limit=100', 400],
  [`search=${'x'.repeat(101)}`, 400],
  ['search=%00', 400],
  ['search=%25%25%25%25', 200],
])('[T091] the list with %.40s gets status %i', async (query, status) => {
  await givenPlan(deps())
  expect((await get(`/user/earning-plans?${query}`)).status).toBe(status)
})

test('a search for %% and _ matches these characters literally', async () => {
  await givenPlan(deps(), { code: 'A', name: '100 % sure' })
  await givenPlan(deps(), { code: 'B', name: 'a_b' })
  expect(codesOf((await get('/user/earning-plans?search=%25')).body)).toEqual(['A'])
  expect(codesOf((await get('/user/earning-plans?search=_')).body)).toEqual(['B'])
  expect(codesOf((await get('/user/earning-plans?search=%5C')).body)).toEqual([])
})

test('[ROLE-15, ROLE-16] only holders can reserve; visitors have no access', async () => {
  await givenPlan(deps())
  expect((await reserve('PLAN-360', { amount: '10' }, admin)).status).toBe(403)
  expect((await get('/user/earning-plans', admin)).status).toBe(200)
  const nobody = { token: 'none' } as TestUser
  for (const path of [
    'earning-plans',
    'earning-plan-lists',
    'earning-plans/PLAN-360/check-quota',
  ]) {
    expect((await get(`/user/${path}`, nobody)).status).toBe(401)
  }
  expect((await reserve('PLAN-360', { amount: '10' }, nobody)).status).toBe(401)
})
