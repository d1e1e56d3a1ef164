import { parseUnits } from '@dct/money'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { configRoutes } from '../../main/http/config.routes.ts'
import { realClock } from '../../platform/clock.ts'
import type { AdminAction } from '../../platform/database/admin-actions.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { removeUser } from '../auth/index.ts'
import { insertChange } from '../proposals/index.ts'
import { currentPrice } from './current-price.ts'
import { pricingRoutes } from './pricing.routes.ts'
import { ensureMoneySetting } from './set-money-setting.ts'

const HOUR = 3_600_000
const price = (text: string) => parseUnits(text, 8)
const settings = { priceMaxAgeMs: 24 * HOUR }
const database = useTestDatabase()
let app: App
let admin: TestUser
let second: TestUser
const clock = new ManualClock('2026-01-31T10:00:00Z')
const actions: AdminAction[] = []

beforeAll(async () => {
  const { db } = database
  app = await createTestApp({ db, realClock })
  await app.register(pricingRoutes, {
    prefix: '/api',
    db,
    clock,
    ...settings,
    priceBounds: { minimum: price('0.01'), maximum: price('100'), maxStepBps: 2_000n },
    recordAdminAction: async (_tx, action) => void actions.push(action),
    requireStepUp: async () => undefined,
    pairRules: {
      windowMs: HOUR,
      ...{ minimum: price('0.5'), maximum: price('3'), stepBps: 1_000n, leastUsdt: 1n },
    },
  })
  await app.register(configRoutes, {
    prefix: '/api',
    db,
    clock,
    ...settings,
    readTermsVersion: async () => '1',
    settings: {
      mode: 'devnet',
      brand: 'DCT Earning',
      supportEmail: 'support@example.org',
      origin: 'http://127.0.0.1:3000',
      tron: {
        network: 'devnet',
        chain_id: 3_448_148_188,
        full_host: 'http://127.0.0.1:3000/tron',
        token: 'T-token',
        token_symbol: 'DCT',
        token_decimals: 6,
        staking: 'T-staking',
        reward_pool: 'T-pool',
        explorer: 'https://explorer.example',
      },
      bsc: {
        network: 'BSC (BEP20)',
        chain_id: 97,
        rpc: 'http://127.0.0.1:3000/bsc',
        usdt: '0xusdt',
        usdt_decimals: 18,
        fee_receiver: '0xreceiver',
        payout_address: '0xpayout',
        explorer: 'https://explorer.example',
      },
      isStepUpRequired: false,
      walletConnectProjectId: undefined,
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await wipe(database.db)
  actions.length = 0
  clock.set('2026-01-31T10:00:00Z')
  const deps = { db: database.db, clock, realClock }
  admin = await givenUser(deps, { role: 'admin' })
  second = await givenUser(deps, { role: 'admin' })
})

async function send(who: TestUser, value: string) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/admin/money-settings',
    payload: { name: 'price', value },
    headers: bearer(who),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const shown = async () =>
  (await app.inject({ url: '/api/admin/price', headers: bearer(admin) })).json()

test('an admin sets the price; the history records who and when', async () => {
  expect(await send(admin, '1.00')).toMatchObject({ status: 200, body: { is_set: true } })
  clock.advanceMs(HOUR)
  expect(await send(second, '1.2')).toMatchObject({ body: { is_set: true } })
  const history = async (query: string) =>
    (
      await app.inject({
        ...{ url: `/api/admin/money-settings-history?name=price&${query}`, headers: bearer(admin) },
      })
    ).json()
  await expectPages(history, 'changes')
  expect(await history('')).toMatchObject({
    total: 2,
    totalPages: 1,
    changes: [
      {
        name: 'price',
        value: '1.20000000',
        set_by: second.wallet.tronAddress,
        at: '2026-01-31T11:00:00.000Z',
      },
      { value: '1.00000000', set_by: admin.wallet.tronAddress, confirmed_by: null },
    ],
  })
  expect(actions).toMatchObject([
    { adminId: admin.id, action: 'price.set', after: { price: '1.00000000' } },
    { action: 'price.set', before: { price: '1.00000000' }, after: { price: '1.20000000' } },
  ])
})

test('the history names the pair, an admin or the settings; a step of an admin is measured from the pair’s price', async () => {
  const { db } = database
  await ensureMoneySetting({ db, clock }, { name: 'price', value: price('1') })
  clock.advanceMs(HOUR)
  await inTransaction(db, (tx) =>
    insertChange(tx, { kind: 'price', value: price('2'), isFromPair: true, at: clock.now() }),
  )
  clock.advanceMs(HOUR)
  expect((await send(admin, '2.5')).body.is_set).toBe(false)
  expect((await send(admin, '2.4')).body.is_set).toBe(true)
  const { changes } = (
    await app.inject({ url: '/api/admin/money-settings-history', headers: bearer(admin) })
  ).json()
  expect(changes.map(({ source }: { source: string }) => source)).toEqual([
    ...['admin', 'pair', 'settings'],
  ])
  expect((await shown()).pair).toEqual({
    window_minutes: 60,
    ...{ minimum: '0.50000000', maximum: '3.00000000', daily_step_percentage: '10' },
  })
})

test('[T050] a step of more than 20 % waits until another admin sends the same price', async () => {
  await send(admin, '1')
  expect(await send(admin, '1.20000001')).toMatchObject({
    status: 202,
    body: { is_set: false },
  })
  expect((await shown()).price).toBe('1.00000000')
  expect((await send(admin, '1.20000001')).body.is_set).toBe(false)
  expect((await send(second, '1.3')).body.is_set).toBe(false)
  expect((await send(second, '1.20000001')).body.is_set).toBe(false)
  expect((await send(admin, '1.20000001')).body.is_set).toBe(true)
  expect((await shown()).price).toBe('1.20000001')
})

test('the limit of 20 % also applies downwards, and a proposal expires after a day', async () => {
  await send(admin, '1')
  expect((await send(admin, '0.8')).body.is_set).toBe(true)
  expect((await send(admin, '0.5')).body.is_set).toBe(false)
  clock.advanceMs(24 * HOUR)
  expect((await send(second, '0.5')).body.is_set).toBe(false)
})

test('small steps of several admins add up to one large step until a day has passed', async () => {
  await send(admin, '1')
  const steps = ['1.05', '1.1', '1.06', '1.1', '1.12000001']
  const outcomes: number[] = []
  for (const [at, step] of steps.entries()) {
    clock.advanceMs(HOUR)
    outcomes.push((await send(at % 2 === 0 ? admin : second, step)).status)
  }
  expect(outcomes).toEqual([200, 200, 200, 200, 202])
  expect(await shown()).toMatchObject({
    price: '1.10000000',
    alone: { lowest: '1.08000000', highest: '1.12000000' },
  })
  expect((await send(second, '1.07999999')).status).toBe(202)
  clock.advanceMs(24 * HOUR)
  expect((await send(second, '1.32')).status).toBe(200)
  expect((await send(second, '1.32000001')).status).toBe(202)
})

test('a price that two admins agreed on is the base for the next steps', async () => {
  await send(admin, '1')
  await send(admin, '2')
  expect((await send(second, '2')).body.is_set).toBe(true)
  expect((await shown()).alone).toEqual({ lowest: '1.60000000', highest: '2.40000000' })
  expect((await send(second, '2.4')).status).toBe(200)
  expect((await send(second, '2.40000001')).status).toBe(202)
})

test('a sole admin needs no second approval; an admin removed today still counts', async () => {
  await send(admin, '1')
  const removal = { userId: second.id, byUserId: admin.id, at: clock.now() }
  await inTransaction(database.db, (tx) => removeUser(tx, removal))
  expect((await send(admin, '50')).status).toBe(202)
  clock.advanceMs(24 * HOUR)
  expect(await shown()).toMatchObject({ alone: null })
  expect(await send(admin, '50')).toMatchObject({ status: 200, body: { is_set: true } })
  expect(await shown()).toMatchObject({ price: '50.00000000', alone: null })
})

test('when two admins confirm concurrently, the price is set once', async () => {
  await send(admin, '1')
  await send(admin, '2')
  const third = await givenUser({ db: database.db, clock, realClock }, { role: 'admin' })
  const answers = await Promise.all([send(second, '2'), send(third, '2')])
  expect(answers.every((answer) => answer.body.is_set)).toBe(true)
  const rows = await database.db
    .selectFrom('setting_change')
    .select('confirmed_by')
    .orderBy('id')
    .execute()
  expect(rows.filter((row) => row.confirmed_by !== null)).toHaveLength(1)
})

test.each(['0', '-1', '1e1', '1.000000001', 'NaN', '', ' 1', '١'])(
  '[T050] the price %s is refused',
  async (text) => {
    const answer = await send(admin, text)
    expect(answer.status).toBe(text === '' ? 400 : 422)
    expect(answer.body.message).not.toBe('')
  },
)

test('[T050] a price out of bounds is refused with the bounds', async () => {
  expect(await send(admin, '0.009')).toMatchObject({ status: 422 })
  expect((await send(admin, '100.00000001')).body).toMatchObject({
    code: 'PRICE_OUT_OF_BOUNDS',
    details: { minimum: '0.01000000', maximum: '100.00000000' },
  })
})

test('[T050] a claim without a price or with an outdated one is refused, with the price’s time', async () => {
  const ask = () => currentPrice(settings, database.db, clock.now())
  await expect(ask()).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  for (const value of [price('1'), price('9')]) {
    await ensureMoneySetting({ db: database.db, clock }, { name: 'price', value })
  }
  clock.advanceMs(24 * HOUR - 1)
  expect((await ask()).price).toBe(price('1'))
  clock.advanceMs(1)
  await expect(ask()).rejects.toMatchObject({ facts: { set_at: '2026-01-31T10:00:00.000Z' } })
  expect(await shown()).toMatchObject({ price: '1.00000000', is_current: false })
})

test('[ROLE-14] holders have no access to the price routes', async () => {
  const user = await givenUser({ db: database.db, clock, realClock })
  expect((await send(user, '1')).status).toBe(403)
  for (const path of ['price', 'money-settings', 'money-settings-history']) {
    const answer = await app.inject({ url: `/api/admin/${path}`, headers: bearer(user) })
    expect(answer.statusCode).toBe(403)
    expect((await app.inject({ url: `/api/admin/${path}` })).statusCode).toBe(401)
  }
})

test('anyone can read the configuration', async () => {
  await send(admin, '1.5')
  const answer = await app.inject({ url: '/api/config' })
  expect(answer.json()).toMatchObject({
    is_devnet: true,
    business_date: '2026-01-31',
    tron: { token_decimals: 6 },
    bsc: { fee_receiver: '0xreceiver', network: 'BSC (BEP20)' },
    limits: {
      join_minimum: '10.000000',
      join_maximum: '50.000000',
      claim_minimum: '0.600000',
      page_size: 10,
      freeze_after_cycles: 30,
    },
    rates: { claim_fee_percentage: '40', direct_percentage: '10' },
    energy_fee_usdt: '0.100000',
    price: { usdt: '1.50000000', is_current: true },
    non_direct_opens_at: '2025-04-04T17:00:00.000Z',
  })
})
