import type { StakeTransaction } from '@dct/api-contract/earnings'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { DIRECTIONS, expectAsked, sortBy, titlesOf } from '../support/lists.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { dismissToast, expectFilled, fact, headers, shownDate, tab } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply } from './support/world.ts'

const DASHBOARD = '/admin/dashboard'
const TRANSACTIONS = `${DASHBOARD}?tab=transactions`
const TRANSACTIONS_PATH = '/api/admin/transactions'
const STATS = 'GET /api/admin/dashboard-stats'
const NO_TRANSACTION = 'No transaction found.'

const [transaction] = recordedReply<{ transactions: [StakeTransaction] }>(
  `GET ${TRANSACTIONS_PATH}`,
).transactions
/** Twelve locks of different people, the newest first. */
const transactions = Array.from({ length: 12 }, (_, index) => ({
  ...transaction,
  tron_address: `T${('ABCDEFGHJKLM'[index] ?? '').repeat(33)}`,
  trx_hash: (index * 20).toString(16).padStart(2, '0').repeat(32),
  ...{ earning_plan_code: 'PLAN-360', is_active: true },
  created_at: `2026-03-${30 - index}T03:04:05.000Z`,
}))
const [first, second] = transactions as unknown as [StakeTransaction, StakeTransaction]
const hashes = transactions.map(({ trx_hash }) => trx_hash)

test.beforeEach(({ world }) => {
  world.answer(`GET ${TRANSACTIONS_PATH}`, (asked) =>
    listOf('transactions', transactions, asked, { day: 'created_at' }),
  )
})

const table = (page: Page) => page.getByRole('table', { name: 'Transaction History' })
const search = (page: Page) => page.getByRole('searchbox')

test('[ADASH-01, ADASH-02, ADASH-03, ROLE-05, API-69] five cards with the service’s figures and four tabs, in their order', async ({
  visit,
  world,
}) => {
  world.answer(STATS, {
    ...{ total_users: 11, total_plans: 22, total_transactions: 33 },
    ...{ total_earnings: '44.500000', total_claims: '55.250000' },
  })
  const { page } = await visit({ as: 'admin', path: DASHBOARD })
  const cards = page.locator('dl[aria-label="Totals"] > div')
  await expect(cards).toHaveText([
    'Total Users11',
    'Total Plans22',
    'Total Transactions33',
    'Total Earnings (DCT)44.500000',
    'Total Claims (DCT)55.250000',
  ])
  const tabs = page.getByRole('tablist', { name: 'Admin Dashboard' }).getByRole('tab')
  await expect(tabs).toHaveText([
    'Statistics',
    'List of Users',
    'Transaction History',
    'Earning Plans',
  ])
  await expect(page.getByRole('tabpanel', { name: 'Statistics' })).toHaveText(
    /11 users, 22 earning plans and 33 transactions.*44\.500000 DCT.*55\.250000 DCT/,
  )
})

test('[ADASH-04] figures that cannot be loaded show no message and block nothing', async ({
  visit,
  world,
}) => {
  world.breakDown(STATS)
  const { page, toasts } = await visit({ as: 'admin', path: DASHBOARD, tolerates: FAILED_CALLS })
  await expect(page.locator('dl[aria-label="Totals"]')).toHaveAttribute('aria-busy', 'false')
  await expect(fact(page.getByRole('main'), 'Total Users')).toHaveText('—')
  await tab(page, 'Transaction History').click()
  await expect(table(page).locator('tbody time').first()).toBeVisible()
  expect(toasts).toEqual([])
})

test('[ATX-02, ATX-03, ATX-05, ROLE-07] the search limits the transactions to an address or a hash; the columns of a transaction', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'admin', path: TRANSACTIONS })
  const rows = table(page).locator('tbody tr')
  await expect(rows.nth(1)).toBeVisible()
  await search(page).fill(second.tron_address)
  await expect(rows).toHaveCount(1)
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([second.tron_address])

  await search(page).fill(first.trx_hash)
  await expect
    .poll(() => headers(table(page)))
    .toEqual(['Status', 'Tron Address', 'Earning Code', 'Tx Hash', 'Date'])
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([first.tron_address])
  await expect(rows).toHaveCount(1)
  await expect(rows.locator('td').nth(0)).toHaveText('Active')
  await expect(rows.locator('td').nth(2)).toHaveText('PLAN-360')
  await expect.poll(() => titlesOf(table(page), 3)).toEqual([first.trx_hash])
  await expect(rows.locator('td').nth(4)).toHaveText(shownDate(first.created_at))
  await expectFilled(table(page))
})

test('[API-59] the list of users is requested with page, search, order and filter', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: '/admin/dashboard?tab=users' })
  await page.getByRole('searchbox').fill('TNobody')
  await page.getByRole('checkbox', { name: 'Only users with a reward percentage' }).click()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', '/api/admin/users').at(-1)))
    .toMatchObject({
      ...{ page: '1', limit: '10', search: 'TNobody', filter_reward_percentage: 'true' },
      ...{ sort_by: expect.any(String), sort_order: expect.any(String) },
    })
})

test('[ATX-01, ATX-07] a range of days without transactions', async ({ visit }) => {
  const { page, calls } = await visit({
    as: 'admin',
    path: `${TRANSACTIONS}&tx-search=${first.tron_address}`,
  })
  await expect(table(page).locator('tbody tr')).toHaveCount(1)
  // Either filter alone excludes the transaction.
  await page.getByLabel('Start Date').fill('2100-01-01')
  await expect(page.getByText(NO_TRANSACTION)).toBeVisible()
  await page.getByLabel('Start Date').fill('')
  await expect(table(page).locator('tbody tr')).toHaveCount(1)
  await page.getByLabel('End Date').fill('2020-01-02')
  await expect(page.getByText(NO_TRANSACTION)).toBeVisible()
  await page.getByLabel('Start Date').fill('2020-01-01')
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', TRANSACTIONS_PATH).at(-1)))
    .toMatchObject({ start_date: '2020-01-01', end_date: '2020-01-02' })
  await page.getByLabel('End Date').fill('2026-03-30')
  await expect(page.getByText(NO_TRANSACTION)).toHaveCount(0)
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([first.tron_address])
})

test('[ATX-04] each column sorts in both directions', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'admin', path: TRANSACTIONS })
  const ids = {
    Status: 'is_active',
    'Tron Address': 'tron_address',
    'Earning Code': 'earning_plan_code',
    'Tx Hash': 'trx_hash',
    Date: 'created_at',
  }
  for (const [name, id] of Object.entries(ids)) {
    for (const [direction, order] of DIRECTIONS) {
      await sortBy(table(page), name, direction)
      expectAsked(calls, TRANSACTIONS_PATH, { sort_by: id, sort_order: order, limit: '10' })
      if (id !== 'trx_hash') continue
      const shown = await titlesOf(table(page), 3)
      const sorted = shown.toSorted()
      expect(shown).toEqual(order === 'asc' ? sorted : sorted.toReversed())
    }
  }
})

test('[ATX-06] ten transactions per page', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'admin', path: TRANSACTIONS })
  await expect.poll(() => titlesOf(table(page), 3)).toEqual(hashes.slice(0, 10))
  await expect(page.getByText('Page 1 of 2', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText('Page 2 of 2', { exact: true })).toBeVisible()
  await expect.poll(() => titlesOf(table(page), 3)).toEqual(hashes.slice(10))
  await page.getByRole('button', { name: 'Prev', exact: true }).click()
  await expect(page.getByText('Page 1 of 2', { exact: true })).toBeVisible()
  await expect.poll(() => titlesOf(table(page), 3)).toEqual(hashes.slice(0, 10))
  expect(queryOf(callsOf(calls, 'GET', TRANSACTIONS_PATH)[0])).toMatchObject({
    page: '1',
    limit: '10',
  })
})

test('[ERR-07] lists that cannot be loaded show one message each', async ({ visit, world }) => {
  const { page, toasts } = await visit({ as: 'admin', path: DASHBOARD, tolerates: FAILED_CALLS })
  const failed = 'An error occurs when loading data.'
  const expectMessage = async () => {
    await expect(page.getByText(/could not be loaded/).last()).toBeVisible()
    await expect.poll(() => toasts).toEqual([failed])
    await dismissToast(page, failed)
    toasts.length = 0
  }
  const lists = {
    'List of Users': 'GET /api/admin/users',
    'Transaction History': `GET ${TRANSACTIONS_PATH}`,
    'Earning Plans': 'GET /api/admin/earning-plans',
  }
  for (const [name, route] of Object.entries(lists)) {
    world.breakDown(route)
    await tab(page, name).click()
    await expectMessage()
  }

  world.mend(...Object.values(lists))
  await page.getByRole('button', { name: 'Try again' }).click()
  for (const [route, name] of [
    ['GET /api/admin/user-earnings', 'See participants'],
    ['GET /api/admin/daily-user-earnings', 'See daily participants'],
  ] as const) {
    world.breakDown(route)
    await page.getByRole('button', { name, exact: true }).first().click()
    await expectMessage()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  }
})
