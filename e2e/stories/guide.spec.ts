import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const guide = (page: Page) => page.getByRole('region', { name: 'Three steps to your first reward' })
const plans = (page: Page) => page.getByRole('tab', { name: 'Join Earning' })

test('the first-visit guide can be used by keyboard, and once finished it never appears again, in any browser', async ({
  visit,
  product,
}) => {
  const holder = await product.holder({ isFirstVisit: true })
  const { page } = await visit({ as: holder, path: '/dashboard' })
  const heading = guide(page).getByRole('heading', { level: 3 })
  await expect(heading).toHaveText('Step 1 of 3Join a plan')
  await expect(guide(page)).toContainText('an amount between 10 and 50 DCT')

  await guide(page).getByRole('button', { name: 'Next step' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Step 2 of 3Claim in time')
  await expect(heading).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(heading, 'the first button after the heading goes back').toHaveText(/^Step 1 of 3/)
  await guide(page).getByRole('button', { name: 'Next step' }).click()
  await guide(page).getByRole('button', { name: 'Next step' }).click()
  await expect(guide(page)).toContainText('40% of its reward plus an energy fee')
  const seen = page.waitForResponse('**/api/user/guide-seen')
  await guide(page).getByRole('button', { name: 'Got it' }).click()
  await expect(guide(page)).toHaveCount(0)
  await expect(page.locator('#content')).toBeFocused()
  expect((await seen).status()).toBe(200)

  const elsewhere = (await visit({ as: holder, path: '/dashboard' })).page
  await expect(plans(elsewhere)).toBeVisible()
  await expect(guide(elsewhere)).toHaveCount(0)
})

test('the guide can be skipped immediately, and does not cover the page', async ({
  visit,
  product,
}) => {
  const holder = await product.holder({ isFirstVisit: true })
  const { page } = await visit({ as: holder, path: '/dashboard' })
  await expect(guide(page)).toBeVisible()
  await expect(plans(page)).toBeVisible()
  await guide(page).getByRole('button', { name: 'Skip the guide' }).click()
  await expect(guide(page)).toHaveCount(0)
})
