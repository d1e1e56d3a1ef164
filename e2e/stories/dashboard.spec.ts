import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
import { argumentOf, readFromContracts } from '../support/chain-calls.ts'
import { alter, cutOff, FAILED_CALLS } from '../support/provoke.ts'
import { referralCodeOf } from '../support/referrals.ts'
import { joined } from '../support/scenes.ts'
import { fact, part, tab, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

let holder: OutsideHolder
let follower: OutsideHolder
let failed: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder({ assets: { dct: '1234.5', trx: '4321.000001' } })
  follower = await product.holder()
  await joined(product, follower)
  failed = await product.holder()
  const unknown = { plan_code: 'PLAN-360', amount: '10', trx_hash: 'ab'.repeat(32) }
  await failed.call('POST', '/api/user/earnings', unknown)
  await product.advance(1)
})

const balances = (page: Page) => part(page, 'In your wallet')
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('[DASH-01, DASH-05, DASH-06, DASH-07, DASH-09, DASH-10, DASH-12, STATE-09, FMT-05] a welcome line with the wallet’s first and last 5 characters, the tabs of a holder who has joined no plan, and the referral link and code to copy', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/dashboard' })
  const short = `${holder.address.slice(0, 5)}...${holder.address.slice(-5)}`
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${short}`)

  await expect(page.getByRole('tab')).toHaveText([
    'My Earnings',
    'Join Earning Plan',
    'Claim Reward',
  ])
  for (const name of ['Join Earning Plan', 'Claim Reward', 'My Earnings']) {
    await tab(page, name).click()
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
  }

  const code = await referralCodeOf(holder)
  const link = `${product.url}/register?ref=${code}`
  await expect(page.getByText(link, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Copy Link' }).click()
  await expect.poll(() => clipboard(page)).toBe(link)
  await page.getByRole('button', { name: 'Copy Referral Code' }).click()
  await expect.poll(() => clipboard(page)).toBe(code)
})

test('[DASH-02, DASH-03, CHAIN-02, CHAIN-08, CHAIN-14, FMT-01, FMT-02] the wallet’s balances, read through the wallet', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: holder, path: '/dashboard' })
  await expect(fact(balances(page), 'Token')).toHaveText('1,234.500000 DCT')
  await expect(fact(balances(page), 'TRX')).toHaveText('4,321.000001 TRX')
  expect(await holder.tron.trx.getBalance(holder.address)).toBe(4_321_000_001)
  const reads = readFromContracts(calls)
  const balance = reads.find(({ selector }) => selector === 'balanceOf(address)')
  expect(balance?.to).toBe(holder.info.tron.token)
  expect(balance?.args).toContain(argumentOf(holder.address))
  expect(callsOf(calls, 'POST', '/tron/wallet/getaccount').length).toBeGreaterThan(0)
})

test('[CHAIN-01] amounts are scaled by the token’s decimals', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    path: '/dashboard',
    before: (fresh) =>
      fresh.route('**/tron/wallet/triggerconstantcontract', async (route) => {
        if (route.request().postDataJSON().function_selector !== 'decimals()') {
          return route.fallback()
        }
        const response = await route.fetch()
        const eight = (8).toString(16).padStart(64, '0')
        const json = { ...(await response.json()), constant_result: [eight] }
        return route.fulfill({ response, json })
      }),
  })
  await expect(fact(balances(page), 'Token')).toHaveText('12.345000 DCT')
})

test('[DASH-04] unreadable balances are shown as unknown', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    path: '/dashboard',
    tolerates: FAILED_CALLS,
    before: (fresh) => cutOff(fresh, '/tron/wallet/triggerconstantcontract'),
  })
  await expect(toast(page, 'Failed to retrieve balances.')).toBeVisible()
  await expect(fact(balances(page), 'Token')).toHaveText('—')
})

test('[DASH-08] without a referral code nothing is copied', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/dashboard',
    before: (fresh) =>
      alter<{ user: object }>(fresh, '/api/auth/me', ({ user }) => ({
        user: { ...user, referral_code: '' },
      })),
  })
  await untilLoaded(page)
  await page.evaluate(() => navigator.clipboard.writeText('as before'))
  for (const name of ['Copy Link', 'Copy Referral Code']) {
    await page.getByRole('button', { name }).click()
    const warning = toast(page, 'Referral code is not available.')
    await expect(warning).toBeVisible()
    expect(await clipboard(page)).toBe('as before')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(warning).toHaveCount(0)
  }
})

test('[STATE-09, STATE-02] a holder with only failed earnings counts as having joined no plan', async ({
  visit,
}) => {
  const { page } = await visit({ as: failed, wallet: 'absent', path: '/dashboard' })
  await expect(page.getByText('Failed to confirm hash')).toBeVisible()
  await expect(tab(page, 'Join Earning Plan')).toBeVisible()
})

test('[DASH-11, STATE-07] a holder who has joined a plan is not offered another', async ({
  visit,
}) => {
  const { page } = await visit({ as: follower, wallet: 'absent', path: '/dashboard?tab=join' })
  await expect(page.getByRole('article', { name: 'PLAN-720' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['My Earnings', 'Claim Reward'])
})

test('[DASH-11, STATE-07, STATE-01] a holder whose lock is not confirmed yet is not offered another plan', async ({
  visit,
  product,
}) => {
  const waiting = await product.holder()
  const unknown = { plan_code: 'PLAN-360', amount: '10', trx_hash: 'cd'.repeat(32) }
  await waiting.call('POST', '/api/user/earnings', unknown)
  const storage = { shownJoins: JSON.stringify([unknown.trx_hash]) }
  const { page } = await visit({ as: waiting, wallet: 'absent', path: '/dashboard', storage })
  await expect(page.getByText('Waiting for hash confirmation')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['My Earnings', 'Claim Reward'])
})

test('the welcome is painted before the figures arrive; nothing is requested twice, and only a few scripts are loaded', async ({
  visit,
}) => {
  const scripts: string[] = []
  const { page, calls } = await visit({
    as: follower,
    wallet: 'absent',
    path: '/dashboard',
    async before(fresh) {
      fresh.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.push(request.url())
      })
      await fresh.route('**/api/user/earnings?*', async (route) => {
        await fresh.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor()
        await route.continue()
      })
    },
  })
  await expect(page.getByRole('article', { name: 'PLAN-720' })).toBeVisible()
  await untilLoaded(page)
  const reads = calls.map(({ method, path }) => `${method} ${path}`)
  expect(reads).toEqual([...new Set(reads)])
  expect(reads).toContain('GET /api/user/claimable-reward')
  expect(scripts.length).toBeGreaterThan(4)
  expect(scripts.length).toBeLessThanOrEqual(12)
})

test('the dashboard stays in place on a phone while its figures and then its font load', async ({
  visit,
}) => {
  const font = Promise.withResolvers<void>()
  const { page } = await visit({
    as: follower,
    path: '/dashboard',
    waitUntil: 'commit',
    context: { viewport: { width: 412, height: 823 }, isMobile: true },
    async before(fresh) {
      await fresh.addInitScript(sumLayoutShifts)
      // The last figure arrives once whatever the others bring is painted.
      const others = ['/earnings', '/claimable-reward', 'is_paid=false', 'is_paid=true'].map(
        (part) => fresh.waitForResponse((response) => response.url().includes(part)),
      )
      await fresh.route('**/api/user/get-claimed-rewards', async (route) => {
        await Promise.all(others)
        for (let frame = 0; frame < 5; frame += 1) await fresh.evaluate(untilNextFrame)
        await route.continue()
      })
      await fresh.route('**/*.woff2', async (route) => {
        await font.promise
        await route.continue()
      })
    },
  })
  await untilLoaded(page)
  font.resolve()
  await page.evaluate(() => document.fonts.ready)
  await expect
    .poll(() => page.evaluate(() => document.fonts.check('1em "Hanken Grotesk Variable"')))
    .toBe(true)
  expect(await page.evaluate(() => Reflect.get(window, 'layoutShifts'))).toBeLessThan(0.02)
})

/** Runs in the page. */
function untilNextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame)
}

/** Runs in the page: adds up how much of it moves without a person's doing. */
function sumLayoutShifts(): void {
  Reflect.set(window, 'layoutShifts', 0)
  const add = ({ value, hadRecentInput }: PerformanceEntry & Record<string, unknown>) => {
    if (hadRecentInput === true) return
    Reflect.set(window, 'layoutShifts', Reflect.get(window, 'layoutShifts') + Number(value))
  }
  const watch = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) add(entry as Parameters<typeof add>[0])
  })
  watch.observe({ type: 'layout-shift', buffered: true })
}
