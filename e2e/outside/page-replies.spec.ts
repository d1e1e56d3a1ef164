import { readFileSync, writeFileSync } from 'node:fs'
import { collectKinds, strangeKinds } from '../pages/support/kinds.ts'
import { claimReferral, payFees, referralCodeOf, setPercentage } from '../support/referrals.ts'
import { claimed, joined, PLAN_360, PLAN_720, paid } from '../support/scenes.ts'
import { expect, test } from '../support/test.ts'
import type { OutsideHolder } from './outside-client.ts'

const FILE = new URL('../pages/support/recorded.json', import.meta.url)
const KEPT_ITEMS = 8
/** A held poll, files, the document itself, and links that only a message contains. */
const NOT_RECORDED = /\/file$|\/changes$|openapi|\/devnet\/|\/messages\//

/** The holder has just claimed everything; the friend can claim. */
const CLAIMABLE = '/api/user/claimable-reward'

type Replies = Record<string, unknown>
type ApiDocument = { paths: Record<string, { get?: { 'x-role': string } }> }

/**
 * The replies that pages are tested with were recorded from the service, and the service still answers like that. After
 * an intended change, `npx playwright test -c e2e/playwright.config.ts page-replies --update-snapshots=all` records them anew.
 */
test('the service answers as the recorded replies say', async ({ product, admin }, { config }) => {
  test.slow()
  const holder = await product.holder({ email: 'holder@example.org' })
  const referrerCode = await referralCodeOf(holder)
  await setPercentage(product, holder, '12.5')
  const friend = await product.holder({ referrerCode, email: 'friend@example.org' })
  await joined(product, holder, { plan: PLAN_360, amount: '50' })
  await joined(product, holder, { plan: PLAN_720, amount: '50' })
  await payFees(product, [friend])
  const today = await product.advance(6)
  await paid(product, holder, await claimed(product, holder, { plan: PLAN_720, type: 'HALF' }))
  const fee = await claimed(product, holder, { plan: PLAN_360, type: 'FULL' })
  await claimReferral(holder, 'direct bonus')
  await holder.payUsdt('1.23')
  await product.settle()

  const live: Replies = {}
  const { paths } = await admin.call<ApiDocument>('GET', '/api/openapi.json')
  const values: Record<string, string> = {
    id: holder.address,
    code: PLAN_360.code,
    day: today,
  }
  const queries: Record<string, string> = {
    '/api/admin/referral-reward-preview': `?target_tron_address=${holder.address}&referral_reward_percentage=20`,
  }
  const reads = Object.entries(paths).flatMap(([path, { get }]) =>
    get && !NOT_RECORDED.test(path) ? [{ path, get }] : [],
  )
  for (const { path, get } of reads) {
    const route = `GET ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    const asked = path.replace('cases/{code}', `cases/${fee.code_claim}`)
    const full = asked.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    const client: OutsideHolder =
      get['x-role'] === 'admin' ? admin : path === CLAIMABLE ? friend : holder
    const { status, body } = await client.tryCall('GET', `${full}${queries[path] ?? ''}`)
    if (status === 200) live[route] = body
  }
  if (config.updateSnapshots === 'all') {
    const text = JSON.stringify(
      shortened({ ...live, 'GET /api/auth/me admin': await meOf(admin) }),
      null,
      2,
    )
    writeFileSync(FILE, `${text.replaceAll(product.url, 'http://127.0.0.1:3000')}\n`)
  }
  const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Replies
  const strange = Object.entries(live).flatMap(([route, reply]) =>
    strangeKinds(collectKinds(reply), collectKinds(recorded[route])).map(
      (what) => `${route} ${what}`,
    ),
  )
  expect(strange).toEqual([])
})

const meOf = (admin: OutsideHolder) => admin.call('GET', '/api/auth/me')

/** A reply with the first few items of each of its lists. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, KEPT_ITEMS).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
}
