import type { Page } from '@playwright/test'
import { alter } from '../support/provoke.ts'
import { joined, PLAN_360 } from '../support/scenes.ts'
import { expect, test } from '../support/test.ts'

/** Makes the service stop counting this list at ten thousand rows. */
const capTotal = (page: Page, path: string) =>
  alter<object>(page, path, (answer) => ({
    ...answer,
    ...{ total: 10_000, totalPages: 1_000, is_total_capped: true },
  }))

const PLACES = [
  ['/admin/dashboard?tab=users', '/api/admin/users'],
  ['/admin/dashboard?tab=transactions', '/api/admin/transactions'],
  ['/admin/reward-history', '/api/admin/reward-distribution-history'],
  ['/admin/claim-history', '/api/admin/claim-history'],
  ['/admin/referral-claim-pool', '/api/admin/referral-claim-pool'],
  ['/admin/operations?tab=payments', '/api/admin/unmatched-payments'],
  ['/admin/operations?tab=payouts', '/api/admin/payouts'],
  ['/admin/control?tab=log', '/api/admin/log'],
] as const

test('lists that are too long to be counted completely are marked as such', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: '/admin/dashboard' })
  for (const [path, call] of PLACES) {
    await capTotal(page, call)
    await page.goto(path)
    await expect(page.getByText('Page 1 of 1000+', { exact: true }), path).toBeVisible()
  }
})

test('a list of participants that is too long to be counted is marked as such', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({
    as: admin,
    path: '/admin/dashboard?tab=plans',
    before: (fresh) => capTotal(fresh, '/api/admin/user-earnings'),
  })
  const plan = page.getByRole('row').filter({ hasText: 'PLAN-360' })
  await plan.getByRole('button', { name: 'See participants', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('Page 1 of 1000+', { exact: true })).toBeVisible()
})

test('paging continues beyond the counted rows, until a page is empty', async ({
  visit,
  admin,
  product,
}) => {
  const hash = await joined(product, await product.holder(), { plan: PLAN_360 })
  const { page } = await visit({
    as: admin,
    path: `/admin/dashboard?tab=transactions&tx-search=${hash}`,
    before: (fresh) =>
      alter<object>(fresh, '/api/admin/transactions', (answer) => ({
        ...answer,
        ...{ total: 1, totalPages: 1, is_total_capped: true },
      })),
  })
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await expect(page.getByText('Page 1 of 1+', { exact: true })).toBeVisible()
  await next.click()
  await expect(page.getByText('Page 2 of 1+', { exact: true })).toBeVisible()
  await expect(next).toBeDisabled()
  await page.getByRole('button', { name: 'Prev', exact: true }).click()
  await expect(page.getByText('Page 1 of 1+', { exact: true })).toBeVisible()
  await expect(next).toBeEnabled()
})
