import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { emptyPayoutWallet } from '../support/payout-wallet.ts'
import type { Product } from '../support/product.ts'
import { alter, FAILED_CALLS } from '../support/provoke.ts'
import { claimReferral, referralCodeOf } from '../support/referrals.ts'
import { claimed, joined, paid } from '../support/scenes.ts'
import { claimCard, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Holding a payout needs an empty payout wallet, which would block the payouts of other stories.
test.use({ productName: 'hostile texts' })

/** What a text does if a page executes it instead of showing it. */
const RUN = 'top.hostile=1'
const MARKUP = [
  `<script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<a href="javascript:${RUN}" target=_blank>x</a>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<base href="//evil.example/">`,
  `javascript:${RUN}`,
]
const PAYLOADS = MARKUP.flatMap((text) => [
  text,
  `">${text}`,
  `'>${text}`,
  `</title></textarea></script>${text}`,
  `{{constructor.constructor('${RUN}')()}}${text}`,
])
/** Joins the payloads into texts of at most `length` characters. */
function chunksOf(length: number): string[] {
  const chunks: string[] = []
  for (const payload of PAYLOADS) {
    const longer = `${chunks.at(-1)} ${payload}`
    if (chunks.length > 0 && longer.length <= length) chunks[chunks.length - 1] = longer
    else chunks.push(payload)
  }
  return chunks
}

/** The worst that the rule for addresses lets through: it ends attributes, and is markup once it is decoded. */
const EMAIL = `x'&#60img/src=x/onerror=${RUN}&#62/onfocus='{{constructor}}@evil.example`
/** Refused today, but the rule may have been another one when it was stored. */
const OLD_EMAIL = `"><img/src=x/onerror=${RUN}>@evil.example`
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

/** Expects that no stored text was executed or became markup, and that external links are safe. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hasRun: 'hostile' in window,
    parts: document.querySelectorAll('iframe, base, [onerror], [onload], [onfocus], [ontoggle]')
      .length,
    links: [...document.querySelectorAll('a[href]')]
      .map((link) => link as HTMLAnchorElement)
      .filter(({ origin, rel }) => origin !== location.origin && !/noopener noreferrer/.test(rel))
      .map(({ href }) => href),
    scripts: [...document.querySelectorAll<HTMLElement>('[href], [src], [action]')]
      .flatMap((part) => ['href', 'src', 'action'].map((name) => part.getAttribute(name) ?? ''))
      .filter((target) => /^\s*javascript:/i.test(target)),
  }))
  expect(found).toEqual({ hasRun: false, parts: 0, links: [], scripts: [] })
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

test('[T096] a stored address that would be refused today is plain text', async ({
  visit,
  admin,
}) => {
  for (const [as, path, call] of [
    [admin, '/admin/dashboard?tab=users', '/api/admin/users'],
    [holder, '/user', '/api/auth/me'],
  ] as const) {
    const { page } = await visit({
      ...{ as, path },
      before: (fresh) => alter(fresh, call, withOldEmail),
    })
    await expect(page.getByText(OLD_EMAIL).first()).toBeVisible()
    await expectHarmless(page)
  }
})

function withOldEmail(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (_name, value) => (value === EMAIL ? OLD_EMAIL : value))
}

test('[T096] search terms are plain text', async ({ visit, admin }) => {
  const { page, calls } = await visit({ as: admin, path: '/admin/dashboard?tab=users' })
  const search = page.getByRole('searchbox')
  for (const payload of MARKUP) {
    await search.fill(payload)
    const asked = new URLSearchParams({ search: payload }).toString()
    await expect.poll(() => calls.some(({ path }) => path.includes(asked))).toBe(true)
    await untilLoaded(page)
    await expect(search).toHaveValue(payload)
    await expectHarmless(page)
  }
})

test('[T096] the referral code of a link is plain text', async ({ visit }) => {
  const { page } = await visit({ path: '/register' })
  for (const payload of MARKUP) {
    await page.goto(`/register?${new URLSearchParams({ ref: payload })}`)
    await expect(page.getByRole('button', { name: 'Register Now' })).toBeVisible()
    await expectHarmless(page)
  }
})

test('[T096] server messages are shown as plain text', async ({ visit }) => {
  const { page, toasts } = await visit({
    ...{ as: holder, path: '/dashboard?tab=claim', tolerates: FAILED_CALLS },
  })
  let message = ''
  await page.route('**/api/user/claim', (route) =>
    route.fulfill({ status: 422, json: { message, code: 'SOME_REFUSAL' } }),
  )
  await claimCard(page, 'PLAN-720').getByRole('button', { name: 'Claim Full' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm' })
  for (const words of chunksOf(400)) {
    message = words
    await confirm.click()
    await expect.poll(() => toasts.some((shown) => shown.includes(words))).toBe(true)
    await expectHarmless(page)
  }
})
