import { expect, type Page } from '@playwright/test'
import { earningCard, fillJoin, pressJoin, tab, toast } from './screens.ts'

/**
 * What every holder does, from the login page: log in, join a plan, and read the pages that follow. The wallet approves
 * everything.
 */
export async function walkAsHolder(page: Page): Promise<void> {
  await expect(page.getByText('Connected with')).toBeVisible()
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard/)
  await tab(page, 'Join Earning Plan').click()
  await fillJoin(page, { plan: 'PLAN-720', amount: '10' })
  await pressJoin(page)
  await expect(toast(page, /^You joined PLAN-720/)).toBeVisible({ timeout: 40_000 })
  await tab(page, 'My Earnings').click()
  await expect(earningCard(page, 'PLAN-720')).toBeVisible()
  for (const [link, heading] of [
    ['Referral', 'Referral Summary'],
    ['Activity', 'Activity'],
    ['My Account', 'My Account'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click()
    await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible()
  }
}
