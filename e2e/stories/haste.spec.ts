import type { Locator, Page } from '@playwright/test'
import { type Call, callsOf } from '../support/calls.ts'
import { joined, PLAN_360 } from '../support/scenes.ts'
import { claimCard, feeCard, fillJoin, joinForm, joinReview, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet } from '../support/wallet.ts'

/** Clicks five times before the page can render anything, and five times right after. */
async function hammer(button: Locator): Promise<void> {
  await expect(button).toBeEnabled()
  await button.evaluate((element: HTMLElement) => {
    for (let click = 0; click < 5; click += 1) element.click()
    for (let click = 1; click <= 5; click += 1) setTimeout(() => element.click(), click * 10)
  })
}
const sent = (calls: readonly Call[], path: string) => callsOf(calls, 'POST', path)

test('[T099] rapid confirmations of a claim make one claim', async ({ visit, product }) => {
  const holder = await product.holder()
  await joined(product, holder, { plan: PLAN_360, amount: '50' })
  await product.advance(8)
  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=claim' })
  await claimCard(page, 'PLAN-360').getByRole('button', { name: 'Claim Half', exact: true }).click()
  await hammer(page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }))
  await expect(feeCard(page, 'PLAN-360')).toBeVisible()
  expect(sent(calls, '/api/user/claim')).toHaveLength(1)
  expect(await holder.pendingFees()).toHaveLength(1)
})

/** Holds back the script of the wallet until `letIn` is called. */
function lateWallet() {
  const { promise, resolve: letIn } = Promise.withResolvers<void>()
  const before = (page: Page) =>
    page.route('**/devnet/wallet.js', async (route) => {
      await promise
      await route.continue()
    })
  return { before, letIn }
}

test('a login pressed before the wallet is found visibly waits for it, and then continues', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { before, letIn } = lateWallet()
  const { page } = await visit({
    as: holder,
    isSignedIn: false,
    wallet: 'asking',
    waitUntil: 'commit',
    async before(fresh) {
      await before(fresh)
      // However busy the machine is, the page sees only moments pass.
      await fresh.clock.install()
      await fresh.clock.pauseAt(Date.now() + 1_000)
    },
  })
  const login = page.getByRole('button', { name: 'Login', exact: true })
  await expect
    .poll(async () => {
      await page.clock.runFor(20)
      return login.isVisible()
    })
    .toBe(true)
  await login.click()
  await expect(login).toBeDisabled()
  letIn()
  // The first match is the form; the wallet shows the address, too, if its pop-up is already open.
  await expect(page.getByText(holder.address).first()).toBeVisible()
  await page.clock.resume()
  await approveInWallet(page, 'Sign this message')
  await expect(toast(page, 'LOGIN SUCCESSFUL!Directing to the dashboard...')).toBeVisible()
})

test('a join pressed before the wallet is found opens its review, unless the form has been edited since', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { before, letIn } = lateWallet()
  const { page } = await visit({
    as: holder,
    path: '/dashboard?tab=join',
    waitUntil: 'commit',
    before,
  })
  const form = joinForm(page)
  await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
  await form.join.click()
  await expect(form.join).toHaveAttribute('aria-busy', 'true')
  await form.amount.fill('11')
  letIn()
  await expect(form.join).toHaveAttribute('aria-busy', 'false')
  await expect(joinReview(page).dialog).toHaveCount(0)
  await page.reload()
  await form.join.click()
  await expect(joinReview(page).confirm).toHaveText('Lock 11 DCT')
})
