import type { OutsideHolder } from '../outside/outside-client.ts'
import { chunksOf, expectHarmless, RUN } from '../support/hostile.ts'
import { emptyPayoutWallet } from '../support/payout-wallet.ts'
import type { Product } from '../support/product.ts'
import { claimReferral, referralCodeOf } from '../support/referrals.ts'
import { claimed, joined, paid } from '../support/scenes.ts'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Holding a payout needs an empty payout wallet, which would block the payouts of other stories.
test.use({ productName: 'hostile texts' })

/** The worst that the rule for addresses lets through: it ends attributes, and is markup once it is decoded. */
const EMAIL = `x'&#60img/src=x/onerror=${RUN}&#62/onfocus='{{constructor}}@evil.example`
const PLAN_NAME = `<img src=x onerror=${RUN}><svg onload=${RUN}>`
const AGENT = chunksOf(300)[0] ?? ''
const NOTES = chunksOf(2_000)
const REASONS = chunksOf(300)
const HOLD_REASON = REASONS[0] ?? ''

let holder: OutsideHolder
let code: string

test.beforeAll(async ({ product, admin }) => {
  holder = await product.holder({ email: EMAIL })
  await holder.call('GET', '/api/auth/me')
  const debtor = await product.holder({ referrerCode: await referralCodeOf(holder) })
  for (const person of [holder, debtor]) await joined(product, person)
  await product.advance(8)
  const fee = await claimed(product, debtor, { type: 'FULL' })
  code = fee.code_claim
  await paid(product, debtor, fee)
  for (const text of NOTES) await admin.call('POST', `/api/admin/cases/${code}/notes`, { text })
  const plan = { plan_code: 'PLAN-720', name: PLAN_NAME }
  await admin.call('PATCH', '/api/admin/earning-plans', plan)
  await loginFrom(product.url, holder, AGENT)
  await endWithReasons(product, admin)
})

/** Has the holder's claim declined with every reason in turn, then approved, and its payout held with a reason. */
async function endWithReasons(product: Product, admin: OutsideHolder): Promise<void> {
  for (const reason of REASONS) {
    const id = await claimReferral(holder, 'direct bonus')
    await admin.call('PUT', '/api/admin/referral-claim-decline', { id, reason })
  }
  await emptyPayoutWallet(product, await product.holder())
  const id = await claimReferral(holder, 'direct bonus')
  await admin.call('PUT', '/api/admin/referral-claim-approval', { id })
  const path = '/api/admin/payouts?chain=BSC&state=waiting'
  const { payouts } = await admin.call<{ payouts: { id: string }[] }>('GET', path)
  const body = { id: payouts[0]?.id, reason: HOLD_REASON }
  await admin.call('POST', '/api/admin/payouts/hold', body)
}

/** Logs in with this user agent. */
async function loginFrom(base: string, person: OutsideHolder, agent: string): Promise<void> {
  const tron_address = person.address
  const proof = await person.prove({ tron_address, purpose: 'login' })
  const reply = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ tron_address, ...proof }),
  })
  expect(reply.status).toBe(200)
}

test('[T096] content stored by others is plain text on every admin page', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: '/admin/dashboard' })
  for (const [path, texts] of [
    ['/admin/dashboard?tab=users', [EMAIL]],
    ['/admin/dashboard?tab=plans', [PLAN_NAME]],
    [`/admin/cases/${code}`, NOTES],
    ['/admin/referral-claim-pool', REASONS.slice(-5)],
    ['/admin/operations?tab=payouts&out-state=waiting', [HOLD_REASON]],
    ['/admin/control?tab=log', [HOLD_REASON]],
  ] as const) {
    await page.goto(path)
    await untilLoaded(page)
    for (const text of texts) await expect(page.getByText(text).first()).toBeVisible()
    await expectHarmless(page)
  }
})

test('[T096] a holder’s stored content is plain text on their own pages', async ({ visit }) => {
  const { page } = await visit({ as: holder, path: '/user' })
  for (const text of [EMAIL, AGENT]) await expect(page.getByText(text).first()).toBeVisible()
  await expectHarmless(page)
  await page.goto('/referrals')
  await untilLoaded(page)
  for (const reason of REASONS.slice(0, 5)) {
    await expect(page.getByText(reason).first()).toBeVisible()
  }
  await expectHarmless(page)
  await page.goto('/dashboard')
  await untilLoaded(page)
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
  await expectHarmless(page)
})
