import type { TransactionsReply } from '@dct/api-contract/earnings'
import { expect, test } from './support/test.ts'
import { recordedReply } from './support/world.ts'

const CAPPED = { total: 10_000, totalPages: 1_000, is_total_capped: true }
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
  world,
}) => {
  for (const [, call] of PLACES) world.alter(`GET ${call}`, (reply) => ({ ...reply, ...CAPPED }))
  const { page } = await visit({ as: 'admin', path: '/admin/dashboard' })
  for (const [path] of PLACES) {
    await page.goto(path)
    await expect(page.getByText('Page 1 of 1000+', { exact: true }), path).toBeVisible()
  }
})

test('a list of participants that is too long to be counted is marked as such', async ({
  visit,
  world,
}) => {
  world.alter('GET /api/admin/user-earnings', (reply) => ({ ...reply, ...CAPPED }))
  const { page } = await visit({ as: 'admin', path: '/admin/dashboard?tab=plans' })
  const plan = page.getByRole('row').filter({ hasText: 'PLAN-360' })
  await plan.getByRole('button', { name: 'See participants', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('Page 1 of 1000+', { exact: true })).toBeVisible()
})

test('paging continues beyond the counted rows, until a page is empty', async ({
  visit,
  world,
}) => {
  const list = 'GET /api/admin/transactions'
  const { transactions, ...frame } = recordedReply<TransactionsReply>(list)
  world.answer(list, ({ query: { page } }) => ({
    ...{ ...frame, page, total: 1, totalPages: 1, is_total_capped: true },
    transactions: page === 1 ? transactions : [],
  }))
  const { page } = await visit({ as: 'admin', path: '/admin/dashboard?tab=transactions' })
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await expect(page.getByText('Page 1 of 1+', { exact: true })).toBeVisible()
  await next.click()
  await expect(page.getByText('Page 2 of 1+', { exact: true })).toBeVisible()
  await expect(next).toBeDisabled()
  await page.getByRole('button', { name: 'Prev', exact: true }).click()
  await expect(page.getByText('Page 1 of 1+', { exact: true })).toBeVisible()
  await expect(next).toBeEnabled()
})
