import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { TERMS_VERSION } from '@dct/rules/constants'
import { DEFAULT_TERMS } from '@dct/rules/default-terms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { businessDayOf } from '../../platform/clock.ts'
import { describedRoutes, pathOf } from '../../testing/api-document.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { bearer, type TestUser } from '../../testing/users.ts'

const host = useChainHost()
let real: RealApp
let holder: TestUser

beforeAll(async () => {
  real = await startRealApp(host())
  holder = await real.givenUser()
}, 120_000)
afterAll(() => real.stop())

async function post(url: string, user: TestUser, payload: object) {
  const headers = bearer(user)
  const reply = await real.app.inject({ method: 'POST', url: `/api${url}`, headers, payload })
  return { status: reply.statusCode, code: reply.json().code, body: reply.json() }
}
const money = () =>
  [
    ['/user/earning-plans/PLAN-360/reserve', { amount: '10' }],
    ['/user/claim', { earning_plan_code: 'PLAN-360', claim_type: 'FULL' }],
    ['/user/pay-claim-fee', { earning_plan_code: 'PLAN-360', tx_hash_usdt: `0x${'1'.repeat(64)}` }],
    ['/user/check-terms', {}],
    [
      '/auth/challenge',
      {
        tron_address: holder.wallet.tronAddress,
        purpose: 'referral_claim',
        usdt_address: `0x${'12'.repeat(20)}`,
        type: 'direct bonus',
      },
    ],
  ] as const

test('after new terms are published, every money action requires consent, and nothing else does', async () => {
  const REQUIRED = 'TERMS_CONSENT_REQUIRED'
  for (const [url, payload] of money()) {
    expect([url, (await post(url, holder, payload)).code]).not.toEqual([url, REQUIRED])
  }
  const admin = await real.givenUser({ role: 'admin' })
  const published = await post('/admin/terms', admin, {
    based_on: TERMS_VERSION,
    effective_day: businessDayOf(real.context.clock.now()),
    text_id: `${DEFAULT_TERMS.id}\nlagi\n`,
    text_en: `${DEFAULT_TERMS.en}\nmore\n`,
  })
  expect(published.status).toBe(200)
  for (const [url, payload] of money()) {
    expect([url, (await post(url, holder, payload)).code]).toEqual([url, REQUIRED])
  }
  // The return of capital, a join that was begun earlier, and reads.
  const capital = { earning_plan_code: 'PLAN-360' }
  expect((await post('/user/request-claim', holder, capital)).code).not.toBe(REQUIRED)
  const join = { plan_code: 'PLAN-360', amount: '10', trx_hash: '1'.repeat(64) }
  expect((await post('/user/earnings', holder, join)).code).not.toBe(REQUIRED)
  const routes = await describedRoutes(real.app)
  const reads = routes.filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/api/user/'),
  )
  expect(reads.length).toBeGreaterThan(10)
  for (const route of reads) {
    const params = Object.fromEntries(route.params.map(({ name }) => [name, 'PLAN-360']))
    const reply = await real.app.inject({ url: pathOf(route, params), headers: bearer(holder) })
    expect([route.path, reply.statusCode]).not.toEqual([route.path, 403])
  }

  const { in_force } = (await real.app.inject('/api/public/terms')).json()
  const { version, id } = in_force
  const accepted = { version, language: 'id', sha256: id.sha256 }
  expect((await post('/user/terms-consents', holder, accepted)).status).toBe(200)
  for (const [url, payload] of money()) {
    expect([url, (await post(url, holder, payload)).code]).not.toEqual([url, REQUIRED])
  }
})
