import type { MoneySettingName } from '@dct/api-contract/proposals'
import { parseAmount } from '@dct/money'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import type { AdminAction } from '../../platform/database/admin-actions.ts'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { moneySettings } from './money-settings.ts'
import { pricingRoutes } from './pricing.routes.ts'
import { ensureMoneySetting } from './set-money-setting.ts'

const database = useTestDatabase()
const clock = new ManualClock('2026-01-31T10:00:00Z')
const actions: AdminAction[] = []
let app: App
let admin: TestUser
let second: TestUser

beforeAll(async () => {
  app = await createTestApp({ db: database.db, realClock })
  await app.register(pricingRoutes, {
    ...{ prefix: '/api', db: database.db, clock, priceMaxAgeMs: DAY_MS, pairRules: undefined },
    priceBounds: { minimum: 1n, maximum: 10n ** 12n, maxStepBps: 2_000n },
    recordAdminAction: async (_tx, action) => void actions.push(action),
    requireStepUp: async () => undefined,
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await wipe(database.db)
  actions.length = 0
  clock.set('2026-01-31T10:00:00Z')
  admin = await givenAdmin()
})

const givenAdmin = () => givenUser({ db: database.db, clock, realClock }, { role: 'admin' })

async function send(who: TestUser, name: string, value: unknown) {
  const answer = await app.inject({
    ...{ method: 'POST', url: '/api/admin/money-settings', headers: bearer(who) },
    payload: { name, value },
  })
  return { status: answer.statusCode, body: answer.json() }
}
const get = async (path: string) =>
  (await app.inject({ url: `/api/admin/${path}`, headers: bearer(admin) })).json()
const shown = async (name: MoneySettingName) =>
  (await get('money-settings')).settings.find((one: { name: string }) => one.name === name)

test('without any change the defaults are in force; a value of the setup is set once', async () => {
  const { db } = database
  expect(await moneySettings(db)).toEqual({
    energyFee: parseAmount('USDT', '0.10'),
    trxPrice: parseAmount('USDT', '0.30'),
    directRateBps: 1_000n,
    nonDirectOpensAt: new Date('2025-04-04T17:00:00Z'),
  })
  await ensureMoneySetting({ db, clock }, { name: 'trx_price', value: 7n })
  await ensureMoneySetting({ db, clock }, { name: 'trx_price', value: 9n })
  expect((await moneySettings(db)).trxPrice).toBe(7n)
})

test.each([
  ['energy_fee', '0.25', '0.250000', { energyFee: parseAmount('USDT', '0.25') }],
  ['trx_price', '0.5', '0.500000', { trxPrice: parseAmount('USDT', '0.5') }],
  ['direct_rate', '12.5', '12.5', { directRateBps: 1_250n }],
  [
    ...(['non_direct_opens', '2026-05-01', '2026-05-01'] as const),
    { nonDirectOpensAt: new Date('2026-04-30T17:00:00Z') },
  ],
] as const)('a sole admin sets %s, which the history and the admin log keep', async (...made) => {
  const [name, value, text, inForce] = made
  const before = (await shown(name)).value
  expect(await send(admin, name, value)).toMatchObject({ status: 200, body: { is_set: true } })
  expect(await moneySettings(database.db)).toMatchObject(inForce)
  expect(await shown(name)).toEqual({ name, value: text })
  expect((await get('money-settings-history')).changes).toMatchObject([
    { name, value: text, set_by: admin.wallet.tronAddress, confirmed_by: null },
  ])
  expect(actions).toMatchObject([
    {
      ...{ adminId: admin.id, action: 'money_setting.set', subject: name },
      ...{ before: { value: before }, after: { value: text } },
    },
  ])
})

test('with another admin a value waits until that one sends the same, within a day', async () => {
  second = await givenAdmin()
  expect(await send(admin, 'energy_fee', '0.2')).toMatchObject({
    ...{ status: 202, body: { is_set: false } },
  })
  expect((await shown('energy_fee')).value).toBe('0.100000')
  // Neither the same admin, nor another value, nor the same value of another setting confirms it.
  expect((await send(admin, 'energy_fee', '0.2')).status).toBe(202)
  expect((await send(second, 'trx_price', '0.2')).status).toBe(202)
  expect((await moneySettings(database.db)).energyFee).toBe(parseAmount('USDT', '0.1'))

  expect((await send(second, 'energy_fee', '0.20')).status).toBe(200)
  expect((await shown('energy_fee')).value).toBe('0.200000')
  const history = (query: string) => get(`money-settings-history?${query}`)
  expect((await history('')).changes).toMatchObject([
    { set_by: admin.wallet.tronAddress, confirmed_by: second.wallet.tronAddress },
  ])
  await ensureMoneySetting({ db: database.db, clock }, { name: 'direct_rate', value: 7n })
  await expectPages(history, 'changes')

  // A day later, the proposal for the price of TRX has expired.
  clock.advanceMs(DAY_MS)
  expect((await send(admin, 'trx_price', '0.2')).status).toBe(202)
})

test('when two admins confirm concurrently, the value is set once', async () => {
  const [one, other] = [await givenAdmin(), await givenAdmin()]
  await send(admin, 'direct_rate', '5')
  const answers = await Promise.all([
    send(one, 'direct_rate', '5'),
    send(other, 'direct_rate', '5'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await get('money-settings-history')).total).toBe(1)
  expect((await shown('direct_rate')).value).toBe('5')
})

test.each([
  ['energy_fee', '-0.1'],
  ['energy_fee', '1e3'],
  ['energy_fee', '100.01'],
  ['trx_price', 'ten'],
  ['direct_rate', '25.01'],
  ['direct_rate', '10.005'],
  ['non_direct_opens', '2025-02-30'],
  ['non_direct_opens', '1969-12-31'],
  ['non_direct_opens', 'April 5, 2025'],
] as const)('%s = %s is refused', async (name, value) => {
  const { status, body } = await send(admin, name, value)
  expect([status, body.code]).toEqual([422, 'MONEY_SETTING_INVALID'])
})
