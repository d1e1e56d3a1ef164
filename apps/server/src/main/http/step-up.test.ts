import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything } from '../../testing/all-tables.ts'
import {
  type DescribedRoute,
  describedRoutes,
  pathOf,
  sampleOf,
} from '../../testing/api-document.ts'
import { givenEmail } from '../../testing/messages-world.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { bearer } from '../../testing/users.ts'

const host = useChainHost()
let real: RealApp
beforeAll(async () => {
  real = await startRealApp(host(), { STEP_UP: 'on' })
}, 120_000)
afterAll(() => real.stop())

/**
 * The admin actions that need no fresh signature: none of them moves money, grants rights or is irreversible. Adding
 * one is a deliberate decision, so it must be listed here as well.
 */
const WITHOUT = new Set([
  'PATCH /api/admin/earning-plans',
  'POST /api/admin/ledger-audits',
  'POST /api/admin/deliveries/test',
  'POST /api/admin/payouts/hold',
  'POST /api/admin/cases/{code}/notes',
  'POST /api/admin/maintenance-notes',
  'DELETE /api/admin/maintenance-notes/{id}',
  'DELETE /api/admin/cases/{code}/links/{id}',
  // They leave everything as it is.
  'POST /api/admin/proposals/withdraw',
  'POST /api/admin/proposals/decline',
  // They only tell other pages and admins what a wallet is being asked.
  'POST /api/admin/money-steps',
  'POST /api/admin/money-steps/report',
])

/** A plan's terms are checked first, so that the admin sees errors before being asked for a signature. */
const TERMS = {
  ...{ plan_code: 'PLAN-NEW', name: 'New', total_reward: '100', daily_limit: '10' },
  ...{ duration_days: 90, total_percentage: '9', is_active: true, is_accumulation_active: true },
}

const nameOf = ({ method, path }: DescribedRoute) => `${method} ${path}`

test('every admin action that moves money or rights requires a fresh signature first', async () => {
  const admin = await real.givenUser({ role: 'admin' })
  const writes = (await describedRoutes(real.app)).filter(
    ({ method, path }) => method !== 'GET' && path.startsWith('/api/admin/'),
  )
  expect(writes.map(nameOf)).toEqual(expect.arrayContaining([...WITHOUT]))
  const answers: Record<string, unknown> = {}
  for (const route of writes.filter((one) => !WITHOUT.has(nameOf(one)))) {
    const { method, path, body } = route
    const payload = path.endsWith('/earning-plans/check') ? TERMS : sampleOf(body ?? {})
    const reply = await real.app.inject({
      ...{ method, url: pathOf(route), headers: bearer(admin) },
      ...(body === undefined ? {} : { payload: payload as object }),
    })
    answers[nameOf(route)] = reply.json().code
  }
  expect(Object.keys(answers).length).toBeGreaterThan(15)
  const wanted = Object.keys(answers).map((name) => [name, 'STEP_UP_REQUIRED'])
  expect(answers).toEqual(Object.fromEntries(wanted))
})

test('a login from an unknown device is reported to its holder, and one from a known device is not', async () => {
  const { db } = real.context
  const holder = await real.givenUser()
  await givenEmail(db, holder, 'holder@example.org')
  const post = async (url: string, payload: object) =>
    real.app.inject({ method: 'POST', url: `/api/auth/${url}`, payload })
  const logIn = async (device: string) => {
    const { tronAddress: tron_address } = holder.wallet
    const asked = await post('challenge', { tron_address, purpose: 'login' })
    const { message, nonce } = asked.json()
    const signature = await holder.wallet.signText(message)
    const reply = await post('login', { tron_address, nonce, signature, device })
    expect([reply.statusCode, reply.json().user?.tron_address]).toEqual([200, tron_address])
    const messages = await everything(db)
      .selectFrom('outbox_message')
      .select('data')
      .where('type', '=', 'message.new_device')
      .execute()
    return messages.map(({ data }) => data.user_id)
  }
  expect(await logIn('the-first-browser')).toEqual([])
  expect(await logIn('the-first-browser')).toEqual([])
  expect(await logIn('another-browser-1')).toEqual([`${holder.id}`])
  expect(await logIn('another-browser-1')).toEqual([`${holder.id}`])
})
