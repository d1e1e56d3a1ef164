import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import type { AdminAction } from '../../platform/database/admin-actions.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct, givenPlan } from '../../testing/plans.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { bookPoolEvent } from './book-pool-event.ts'
import { honourStake } from './honour-stake.ts'
import { type PlanCall, recordPlanCallDone } from './plan-on-chain.ts'
import { plansAdminRoutes } from './plans-admin.routes.ts'

const database = useTestDatabase()
let app: App
let user: TestUser
let admin: TestUser
let isConfirmed = true
const clock = new ManualClock('2026-01-31T03:00:00Z')
const actions: AdminAction[] = []
const calls: { cause: string; call: PlanCall }[] = []
const states = new Map<string, 'unknown' | 'pending' | 'failed'>()

beforeAll(async () => {
  const { db } = database
  app = await createTestApp({ db, realClock })
  await app.register(plansAdminRoutes, {
    prefix: '/api',
    db,
    clock,
    dctDecimals: 6,
    fundingPatienceMs: 0,
    readTransactionState: async (txHash: Buffer) => states.get(txHash.toString('hex')) ?? 'unknown',
    readTermsOnChain: async () => ({
      limits: { maxDailyBps: 10_000, minDurationDays: 1 },
      fixed: undefined,
    }),
    requestPlanCall: async (_tx, { cause, call }) => void calls.push({ cause, call }),
    recordAdminAction: async (_tx, action) => void actions.push(action),
    requireStepUp: async () => {
      if (!isConfirmed) throw new Refusal('STEP_UP_REQUIRED')
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await wipe(database.db)
  calls.length = 0
  actions.length = 0
  isConfirmed = true
  user = await givenUser(deps())
  admin = await givenUser(deps(), { role: 'admin' })
})

const deps = () => ({ db: database.db, clock, realClock })
const terms = {
  plan_code: 'PLAN-90',
  name: 'Ninety days',
  total_reward: '1000',
  duration_days: 90,
  total_percentage: '18.25',
  daily_limit: 200.5,
  is_accumulation_active: false,
  is_active: true,
}

async function send(method: 'POST' | 'PATCH' | 'GET', path: string, payload?: object, who = admin) {
  const url = `/api/admin/earning-plans${path}`
  const body = payload === undefined ? {} : { payload }
  const answer = await app.inject({ method, url, headers: bearer(who), ...body })
  return { status: answer.statusCode, body: answer.json() }
}

async function fund(facts: { amount?: string; code?: string; from?: Buffer } = {}) {
  const txHash = randomBytes(32)
  await inTransaction(database.db, (tx) =>
    bookPoolEvent(tx, {
      chain: 'TRON',
      txHash,
      logIndex: 1,
      blockNumber: 5n,
      blockHash: randomBytes(32),
      blockTime: clock.now(),
      address: randomBytes(20),
      name: 'PlanFunded',
      args: {
        planCode: facts.code ?? 'PLAN-90',
        from: `0x${(facts.from ?? admin.address).toString('hex')}`,
        amount: String(dct(facts.amount ?? '1000')),
      },
    }),
  )
  return txHash.toString('hex')
}

test('[API-31, API-57] a funded plan is created and opened on chain', async () => {
  const tx_hash = await fund()
  const created = await send('POST', '', { ...terms, is_accumulation_active: true, tx_hash })
  expect(created).toMatchObject({
    status: 200,
    body: {
      earning_plan: {
        plan_code: 'PLAN-90',
        name: 'Ninety days',
        total_reward: '1000.000000',
        duration_days: 90,
        total_percentage: '18.25',
        daily_limit: '200.500000',
        max_token_allowed: '5479.452054',
        remaining_daily_quota: '200.500000',
        remaining_annual_quota: '1000.000000',
        is_active: true,
        is_accumulation_active: true,
        chain_state: 'opening',
      },
    },
  })
  const call = { kind: 'openPlan', planCode: 'PLAN-90', durationDays: 90, totalBps: 1_825n }
  expect(calls).toEqual([{ cause: 'plan:PLAN-90:1', call }])
  await inTransaction(database.db, (tx) =>
    recordPlanCallDone(tx, { kind: 'openPlan', cause: 'plan:PLAN-90:1' }),
  )
  const listed = await send('GET', '')
  expect(listed.body.earning_plans).toMatchObject([
    { chain_state: 'open', is_accumulation_active: true },
  ])
  expect(actions).toMatchObject([
    { adminId: admin.id, action: 'plan.create', subject: 'PLAN-90', before: null },
  ])
})

test('a plan created as inactive is not opened on chain', async () => {
  const created = await send('POST', '', { ...terms, is_active: false, tx_hash: await fund() })
  expect(created.body.earning_plan).toMatchObject({ is_active: false, chain_state: 'closed' })
  expect(calls).toEqual([])
})

test('a funding creates one plan, even with eight concurrent requests', async () => {
  const tx_hash = await fund()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send('POST', '', { ...terms, tx_hash })),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer.status === 409)).toHaveLength(7)
  await database.db.updateTable('plan_funding').set({ plan_code: 'PLAN-91' }).execute()
  expect(await send('POST', '', { ...terms, plan_code: 'PLAN-91', tx_hash })).toMatchObject({
    status: 409,
    body: { code: 'FUNDING_USED' },
  })
  expect(calls).toHaveLength(1)
})

test('a transaction that does not fund exactly this plan from this wallet is refused with the reason', async () => {
  const refused = async (tx_hash: string) => (await send('POST', '', { ...terms, tx_hash })).body
  expect(await refused(await fund({ code: 'OTHER' }))).toMatchObject({
    code: 'FUNDING_MISMATCH',
    details: { field: 'plan_code' },
  })
  expect((await refused(await fund({ amount: '999.999999' }))).details.field).toBe('total_reward')
  expect((await refused(await fund({ amount: '1000.000001' }))).details.field).toBe('total_reward')
  expect((await refused(await fund({ from: user.address }))).message).toBe(
    'The funding transaction was sent by a wallet other than yours.',
  )
  const hash = randomBytes(32).toString('hex')
  expect((await refused(hash)).code).toBe('FUNDING_NOT_FOUND')
  states.set(hash, 'failed')
  expect((await refused(hash)).code).toBe('FUNDING_FAILED')
  states.set(hash, 'pending')
  expect((await refused(hash)).code).toBe('FUNDING_NOT_FINAL')
  expect((await refused('0x12')).code).toBe('FUNDING_HASH_INVALID')
  expect((await send('GET', '')).body.total).toBe(0)
  expect(calls).toEqual([])
})

test('all terms are checked before the wallet opens', async () => {
  expect(await send('POST', '/check', terms)).toMatchObject({
    status: 200,
    body: { max_token_allowed: '5479.452054' },
  })
  await givenPlan(deps(), { code: 'PLAN-90' })
  expect(await send('POST', '/check', terms)).toMatchObject({
    status: 409,
    body: { code: 'PLAN_CODE_TAKEN' },
  })
})

test('a check names what has funded the plan code already', async () => {
  const tx_hash = await fund()
  const { body } = await send('POST', '/check', terms)
  expect(body.fundings).toMatchObject([
    { tx_hash: tx_hash.replace(/^0x/, ''), tron_address: expect.stringMatching(/^T/) },
  ])
})

test.each([
  ['plan_code', 'plan-90'],
  ['plan_code', ''],
  ['plan_code', 'A'.repeat(33)],
  ['plan_code', 'A B'],
  ['name', '  '],
  ['name', 'a\u0000b'],
  ['name', 'x'.repeat(101)],
  ['total_reward', '0'],
  ['total_reward', '-1'],
  ['total_reward', '1.0000001'],
  ['total_reward', 1e30],
  ['duration_days', 0],
  ['duration_days', 36_501],
  ['duration_days', 1.5],
  ['duration_days', '90'],
  ['total_percentage', '0'],
  ['total_percentage', '1.234'],
  ['total_percentage', 'x'],
  ['total_percentage', '10000.01'],
  ['daily_limit', '0'],
  ['daily_limit', ''],
  ['is_active', 'yes'],
])('a plan with %s %j is refused, naming the field', async (field, value) => {
  const answer = await send('POST', '/check', { ...terms, [field]: value })
  expect([400, 422]).toContain(answer.status)
  expect(answer.body).toMatchObject({ details: { field } })
})

test('[API-32, API-58, APLAN-18] name, daily limit and switches can be changed', async () => {
  await givenPlan(deps(), { isAccumulating: true })
  const changed = await send('PATCH', '', {
    plan_code: 'PLAN-360',
    name: 'New name',
    daily_limit: '1500.5',
    is_accumulation_active: false,
    is_active: false,
  })
  expect(changed).toMatchObject({
    status: 200,
    body: {
      earning_plan: {
        name: 'New name',
        daily_limit: '1500.500000',
        remaining_daily_quota: '1500.500000',
        is_accumulation_active: false,
        is_active: false,
        chain_state: 'closing',
      },
    },
  })
  const listed = await send('GET', '')
  expect(listed.body.earning_plans[0]).toEqual(changed.body.earning_plan)
  expect(calls).toMatchObject([{ call: { kind: 'closePlan', planCode: 'PLAN-360' } }])
  expect(actions).toMatchObject([
    { before: { name: 'Plan 360' }, after: { name: 'New name', is_active: false } },
  ])
  const back = await send('PATCH', '', {
    plan_code: 'PLAN-360',
    is_accumulation_active: true,
    is_active: true,
  })
  expect(back.body.earning_plan).toMatchObject({
    ...{ name: 'New name', daily_limit: '1500.500000' },
    ...{ is_accumulation_active: true, is_active: true, chain_state: 'opening' },
  })
})

test('fields left out of a change remain the same, and an unchanged switch causes no call on chain', async () => {
  await givenPlan(deps(), { isAccumulating: true })
  const changed = await send('PATCH', '', { plan_code: 'PLAN-360', is_active: true })
  expect(changed.body.earning_plan).toMatchObject({
    name: 'Plan 360',
    daily_limit: '2000.000000',
    is_accumulation_active: true,
    chain_state: 'open',
  })
  expect(calls).toEqual([])
})

test('a plan switched on and off repeatedly ends in the state of the last switch', async () => {
  await givenPlan(deps())
  await send('PATCH', '', { plan_code: 'PLAN-360', is_active: false })
  await send('PATCH', '', { plan_code: 'PLAN-360', is_active: true })
  const stateAfter = async (kind: string, cause: string) => {
    await inTransaction(database.db, (tx) => recordPlanCallDone(tx, { kind, cause }))
    return (await send('GET', '')).body.earning_plans[0].chain_state
  }
  expect(await stateAfter('closePlan', 'plan:PLAN-360:1')).toBe('opening')
  expect(await stateAfter('release', 'plan:PLAN-360:2')).toBe('opening')
  expect(await stateAfter('openPlan', 'plan:PLAN-360:2')).toBe('open')
})

test('[APLAN-20] no request can change code, total reward, duration and percentage', async () => {
  await givenPlan(deps())
  const before = (await send('GET', '')).body.earning_plans
  const locked = {
    total_reward: '1',
    duration_days: 1,
    total_percentage: '1',
    max_token_allowed: 1,
  }
  for (const [field, value] of Object.entries(locked)) {
    const answer = await send('PATCH', '', { plan_code: 'PLAN-360', name: 'x', [field]: value })
    expect(answer).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } })
  }
  expect((await send('PATCH', '', { plan_code: 'PLAN-999', name: 'x' })).status).toBe(404)
  expect((await send('GET', '')).body.earning_plans).toEqual(before)
})

test('[ROLE-14, ROLE-16] holders and visitors are refused', async () => {
  const nobody = { token: 'none' } as TestUser
  for (const [who, status] of [
    [user, 403],
    [nobody, 401],
  ] as const) {
    expect((await send('GET', '', undefined, who)).status).toBe(status)
    expect((await send('POST', '/check', terms, who)).status).toBe(status)
    expect((await send('POST', '', { ...terms, tx_hash: '0x' }, who)).status).toBe(status)
    expect((await send('PATCH', '', { plan_code: 'PLAN-360' }, who)).status).toBe(status)
  }
})

test('an unconfirmed session cannot create a plan', async () => {
  isConfirmed = false
  const tx_hash = await fund()
  // The check comes before the payment, so that nothing is paid without a signature.
  expect((await send('POST', '/check', terms)).status).toBe(403)
  expect((await send('POST', '', { ...terms, tx_hash })).status).toBe(403)
  expect((await send('GET', '')).body.total).toBe(0)
})

/** Every event of a plan on chain, caused as in production. */
const PLAN_EXITS = {
  'it is switched on': () => send('PATCH', '', { plan_code: 'PLAN-90', is_active: true }),
  'it is switched off': () => send('PATCH', '', { plan_code: 'PLAN-90', is_active: false }),
  'its last call is final': () => finish(calls.slice(-1)),
  'a superseded call is final': () => finish(calls.slice(-2, -1)),
  'a holder stakes': () =>
    inTransaction(database.db, (tx) =>
      honourStake(tx, {
        ...{ planCode: 'PLAN-90', amount: dct('10'), durationDays: 90, reward: dct('1.825') },
        ...{ at: clock.now(), userId: user.id },
      }),
    ),
}
type PlanExit = keyof typeof PLAN_EXITS
const finish = async (made: typeof calls) => {
  for (const { cause, call } of made)
    await inTransaction(database.db, (tx) => recordPlanCallDone(tx, { kind: call.kind, cause }))
}
const WAYS: Record<string, readonly PlanExit[]> = {
  opening: [],
  open: ['its last call is final'],
  closing: ['its last call is final', 'it is switched off'],
  closed: ['its last call is final', 'it is switched off', 'its last call is final'],
}
const CHANGES: Record<string, Partial<Record<PlanExit, string>>> = {
  opening: { 'it is switched off': 'closing', 'its last call is final': 'open' },
  open: { 'it is switched off': 'closing' },
  closing: { 'it is switched on': 'opening', 'its last call is final': 'closed' },
  closed: { 'it is switched on': 'opening' },
}
const PLAN_CASES = Object.keys(WAYS).flatMap((state) =>
  (Object.keys(PLAN_EXITS) as PlanExit[]).map((exit) => ({
    ...{ state, exit, after: CHANGES[state]?.[exit] ?? state },
  })),
)

test.each(PLAN_CASES)(
  'a plan that is $state, then $exit: $after',
  async ({ state, exit, after }) => {
    await send('POST', '', { ...terms, tx_hash: await fund() })
    for (const way of WAYS[state] ?? []) await PLAN_EXITS[way]()
    const shown = async () => (await send('GET', '')).body.earning_plans[0].chain_state
    expect(await shown()).toBe(state)
    await PLAN_EXITS[exit]()
    expect(await shown()).toBe(after)
  },
)
