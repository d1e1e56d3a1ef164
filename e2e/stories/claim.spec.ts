import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, callsOf } from '../support/calls.ts'
import { alter, breakDown, cutOff, FAILED_CALLS, refuse } from '../support/provoke.ts'
import { joined, PLAN_360 } from '../support/scenes.ts'
import { claimCard, fact, feeCard, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const CLAIM_PATH = '/api/user/claim'
const LIST_PATH = '/api/user/claimable-reward'
const PATH = '/dashboard?tab=claim'

/** Has exactly 0.6 DCT claimable in one plan, and a little in another. */
let exact: OutsideHolder
/** Has 0.45 DCT claimable. */
let below: OutsideHolder
test.beforeAll(async ({ product }) => {
  exact = await product.holder()
  await joined(product, exact)
  await joined(product, exact, { plan: PLAN_360, amount: '50' })
  await product.advance(1)
  below = await product.holder()
  await joined(product, below)
  await product.advance(3)
})

const button = (page: Page, name: 'Claim Full' | 'Claim Half') =>
  claimCard(page, 'PLAN-720').getByRole('button', { name, exact: true })
const dialogOf = (page: Page, type: 'FULL' | 'HALF') =>
  page.getByRole('dialog', { name: `Claim PLAN-720: ${type}` })
const claimCalls = (calls: readonly Call[]) => callsOf(calls, 'POST', CLAIM_PATH)

test('[CLAIM-01, CLAIM-02, CLAIM-04, CLAIM-05, CONST-04, CONST-05, FMT-04] claimable rewards per plan, with the estimated fee; the confirmation shows payout and cost, and Cancel makes no call', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: exact, wallet: 'absent', path: PATH })
  const cards = page.getByRole('tabpanel', { name: 'Claim Reward' }).getByRole('article')
  await expect(cards).toHaveCount(2)
  // 40 % of 0.6 at a price of 1, plus 0.10 for energy, plus the cent that the tail may need.
  await expect(fact(claimCard(page, 'PLAN-720'), 'Total claimable')).toHaveText('0.600000 DCT')
  await expect(fact(claimCard(page, 'PLAN-720'), 'Estimated fee')).toHaveText('0.350000 USDT')
  await expect(fact(claimCard(page, 'PLAN-360'), 'Total claimable')).toHaveText('0.400000 DCT')
  await expect(fact(claimCard(page, 'PLAN-360'), 'Estimated fee')).toHaveText('0.270000 USDT')
  for (const name of ['Claim Full', 'Claim Half'] as const) {
    await expect(button(page, name)).toBeVisible()
  }

  await button(page, 'Claim Half').click()
  const half = dialogOf(page, 'HALF')
  await expect(fact(half, 'Sent immediately')).toHaveText('0.30 DCT')
  await expect(fact(half, 'Sent after the fee is paid')).toHaveText('0.30 DCT')
  await half.getByText('Why?', { exact: true }).click()
  await expect(fact(half, 'Rounding and this fee’s own digits, at most')).toHaveText(
    '0.010000 USDT',
  )
  await expect(half).not.toContainText('exactly')
  await expect(half).toContainText(/Pay by \d.*, or later rewards are lost/)
  await expect(half.getByRole('button', { name: 'Confirm', exact: true })).toBeEnabled()
  await half.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(half).toHaveCount(0)

  await button(page, 'Claim Full').click()
  const full = dialogOf(page, 'FULL')
  await expect(fact(full, 'Sent after the fee is paid')).toHaveText('0.600000 DCT')
  await expect(full.getByText('Sent immediately')).toHaveCount(0)
  await full.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(full).toHaveCount(0)
  expect(claimCalls(calls)).toEqual([])
})

test('[CLAIM-09] below 0.6 DCT nothing can be claimed', async ({ visit }) => {
  const { page, calls } = await visit({ as: below, wallet: 'absent', path: PATH })
  await expect(fact(claimCard(page, 'PLAN-720'), 'Total claimable')).toHaveText('0.450000 DCT')
  for (const name of ['Claim Full', 'Claim Half'] as const) {
    await button(page, name).click()
    const warning = toast(page, 'Minimum claim amount is 0.6 DCT!')
    await expect(warning).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(warning).toHaveCount(0)
  }
  expect(claimCalls(calls)).toEqual([])
})

test('[CLAIM-07] nothing to claim', async ({ visit, product }) => {
  const { page } = await visit({ as: await product.holder(), wallet: 'absent', path: PATH })
  await expect(page.getByText('No reward can be claimable', { exact: true })).toBeVisible()
})

test('[CLAIM-03] a claimable amount of 0 has no buttons', async ({ visit }) => {
  type Rewards = { claimable_rewards: { total_claimable: string }[] }
  const { page } = await visit({
    as: below,
    wallet: 'absent',
    path: PATH,
    before: (fresh) =>
      alter<Rewards>(fresh, LIST_PATH, ({ claimable_rewards }) => ({
        claimable_rewards: claimable_rewards.map((one) => ({
          ...one,
          total_claimable: '0.000000',
        })),
      })),
  })
  await expect(fact(claimCard(page, 'PLAN-720'), 'Total claimable')).toHaveText('0.000000 DCT')
  const claims = claimCard(page, 'PLAN-720').getByRole('button', { name: /^Claim / })
  await expect(claims).toHaveCount(0)
})

test('[CLAIM-03] a lock from the same day has no buttons either', async ({ visit, product }) => {
  const fresh = await product.holder()
  await joined(product, fresh)
  const { page } = await visit({ as: fresh, wallet: 'absent', path: PATH })
  await expect(page.getByText('No reward can be claimable', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Claim (Full|Half)$/ })).toHaveCount(0)
})

test('[CLAIM-08] a plan whose reward has disappeared is no longer selected', async ({ visit }) => {
  const { page, calls } = await visit({
    as: exact,
    wallet: 'absent',
    path: PATH,
    before: (fresh) => fresh.clock.install(),
  })
  await button(page, 'Claim Full').click()
  await expect(dialogOf(page, 'FULL')).toBeVisible()
  await page.route('**/api/user/claimable-reward', (route) =>
    route.fulfill({ json: { claimable_rewards: [] } }),
  )
  // The page refetches when the user returns to the tab.
  await page.clock.fastForward(10_000)
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  await expect(page.getByText('No reward can be claimable', { exact: true })).toHaveCount(1)
  await dialogOf(page, 'FULL').getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'Select Earning Plan first!')).toBeVisible()
  expect(claimCalls(calls)).toEqual([])
})

test('[CLAIM-12, ERR-02] a failed claim shows the server’s message, or the fallback', async ({
  visit,
}) => {
  const { page } = await visit({
    as: exact,
    wallet: 'absent',
    path: PATH,
    tolerates: FAILED_CALLS,
  })
  await button(page, 'Claim Full').click()
  const confirm = dialogOf(page, 'FULL').getByRole('button', { name: 'Confirm' })
  for (const provoke of [breakDown, cutOff]) {
    await provoke(page, CLAIM_PATH)
    await confirm.click()
    await expect(toast(page, 'An error occurred during a reward claim.')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.unrouteAll()
  }
  await refuse(page, CLAIM_PATH, 'The fee is now higher than the estimate.')
  await confirm.click()
  await expect(toast(page, 'The fee is now higher than the estimate.')).toBeVisible()
})

test('[CLAIM-13] claimable rewards that cannot be loaded', async ({ visit }) => {
  const { page } = await visit({
    as: exact,
    wallet: 'absent',
    path: PATH,
    tolerates: FAILED_CALLS,
    before: (fresh) => breakDown(fresh, LIST_PATH),
  })
  await expect(toast(page, 'An error occurs when taking reward data.')).toBeVisible()
  await expect(page.getByText('No reward can be claimable')).toHaveCount(0)
})

test('[CLAIM-04, CLAIM-06, CLAIM-09, CLAIM-10, CLAIM-11] exactly 0.6 DCT is claimed, and the list is updated', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: exact, wallet: 'absent', path: PATH })
  await button(page, 'Claim Half').click()
  expect(claimCalls(calls)).toEqual([])
  const reply = page.waitForResponse((response) => response.url().endsWith(CLAIM_PATH))
  const listsBefore = callsOf(calls, 'GET', LIST_PATH).length
  await dialogOf(page, 'HALF').getByRole('button', { name: 'Confirm' }).click()
  const { data } = await (await reply).json()
  await expect(
    toast(page, `HALF Reward successfully claimed! TX: ${data.transaction_hash}`),
  ).toBeVisible()
  expect(claimCalls(calls).map(({ body }) => body)).toEqual([
    expect.objectContaining({ earning_plan_code: 'PLAN-720', claim_type: 'HALF' }),
  ])
  await expect(dialogOf(page, 'HALF')).toHaveCount(0)
  expect(callsOf(calls, 'GET', LIST_PATH).length).toBeGreaterThan(listsBefore)
  await expect(claimCard(page, 'PLAN-720')).toHaveCount(0)
  await expect(feeCard(page, 'PLAN-720')).toBeVisible()
})

test('stale figures block claiming until they are refreshed', async ({ visit }) => {
  const { page } = await visit({
    as: below,
    wallet: 'absent',
    path: PATH,
    tolerates: FAILED_CALLS,
    before: (fresh) => fresh.clock.install(),
  })
  await expect(button(page, 'Claim Full')).toBeEnabled()
  await cutOff(page, LIST_PATH)
  await page.clock.fastForward(10_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  const reason = claimCard(page, 'PLAN-720').getByText(/could not be refreshed/)
  await expect(reason).toBeVisible({ timeout: 30_000 })
  await expect(button(page, 'Claim Full')).toBeDisabled()
  await expect(button(page, 'Claim Half')).toBeDisabled()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(button(page, 'Claim Full')).toBeEnabled()
})
