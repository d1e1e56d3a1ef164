import type { Page } from '@playwright/test'
import { referralCodeOf } from '../support/referrals.ts'
import {
  claimCard,
  earningCard,
  fact,
  feeCard,
  fillJoin,
  joinForm,
  joinReview,
  paidFees,
  part,
  tab,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { translatePages } from '../support/translator.ts'

const PLAN = 'PLAN-720'

test('a holder registers, joins, claims and pays on pages that the browser translates, and every figure is right', async ({
  visit,
  product,
}) => {
  const referrer = await product.holder()
  const holder = await product.holder({ isRegistered: false })
  const { page } = await visit({
    as: holder,
    isSignedIn: false,
    path: `/register?ref=${await referralCodeOf(referrer)}`,
    before: translatePages,
  })
  await page.getByLabel('E-mail').fill('friend@example.org')
  await page.getByRole('checkbox', { name: 'I accept the terms and conditions' }).check()
  await page.getByRole('button', { name: 'Register Now' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('link', { name: 'See the plans' }).click()

  const form = joinForm(page)
  for (const [amount, fees] of [
    ['10', '11.280000 USDT'],
    ['30', '28.560000 USDT'],
    ['50', '45.840000 USDT'],
  ] as const) {
    await fillJoin(page, { plan: PLAN, amount })
    await expect(fact(form.panel, 'Fees, at most')).toHaveText(fees)
  }
  await form.join.click()
  await expect(joinReview(page).dialog).toContainText('Lock 50 DCT')
  await joinReview(page).confirm.click()
  await expect(fact(earningCard(page, PLAN), 'Running amount')).toHaveText('50.000000 DCT')

  await product.advance(6)
  await page.goto('/dashboard?tab=claim')
  await claimCard(page, PLAN).getByRole('button', { name: 'Claim Full' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(feeCard(page, PLAN)).toBeVisible()
  await holder.login()
  const [fee] = await holder.pendingFees()
  const due = `${fee?.unpaid_fee_usdt}`
  await expect(fact(feeCard(page, PLAN), 'Fee (USDT)')).toHaveText(`${due} USDT`)
  await holder.payUsdt(due)
  await expect(toast(page, 'Fee successfully paid and recorded!')).toBeVisible()
  await expect(paidFees(page).getByText('Done', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Referral', exact: true }).click()
  await expect(part(page, 'Your referral link')).toContainText(/\/register\?ref=[A-Z2-9]{8}/)
  await switchLanguage(page)
  for (const link of ['Activity', 'My Account', 'Dashboard']) {
    await page.getByRole('link', { name: link, exact: true }).first().click()
    await untilLoaded(page)
  }
  for (const name of ['Claim Reward', 'My Earnings']) await tab(page, name).click()
  await expect(fact(earningCard(page, PLAN), 'Running amount')).toHaveText('50.000000 DCT')
})

test('an admin goes through all pages while the browser translates them', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: '/admin/dashboard', before: translatePages })
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await untilLoaded(page)
  for (const link of await links.all()) {
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    await untilLoaded(page)
    const tabs = page.getByRole('tab')
    for (let at = 0; at < (await tabs.count()); at += 1) {
      await tabs.nth(at).click()
      await untilLoaded(page)
    }
  }
})

/** To Indonesian and back: every text of the page changes. */
async function switchLanguage(page: Page): Promise<void> {
  for (const language of ['id', 'en']) {
    await page.locator(`.language-switch [lang="${language}"]`).click()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
  }
}
