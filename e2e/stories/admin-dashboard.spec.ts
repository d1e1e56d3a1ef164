import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf, queryOf } from '../support/calls.ts'
import { DIRECTIONS, expectAsked, sortBy, titlesOf } from '../support/lists.ts'
import { answer, breakDown, FAILED_CALLS, restore } from '../support/provoke.ts'
import { joined, PLAN_360 } from '../support/scenes.ts'
import { dismissToast, expectFilled, fact, headers, shownDate, tab } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const DASHBOARD = '/admin/dashboard'
const TRANSACTIONS = `${DASHBOARD}?tab=transactions`
const TRANSACTIONS_PATH = '/api/admin/transactions'
const STATS_PATH = '/api/admin/dashboard-stats'
const NO_TRANSACTION = 'No transaction found.'

let first: OutsideHolder
let second: OutsideHolder
let hash: string
test.beforeAll(async ({ product }) => {
  first = await product.holder()
  second = await product.holder()
  // The service is told about the first lock, as by the web app, and finds the second one.
  hash = await first.lock(PLAN_360, '20')
  const announcement = { plan_code: PLAN_360.code, amount: '20', trx_hash: hash }
  await first.call('POST', '/api/user/earnings', announcement)
  await joined(product, second, { plan: PLAN_360, amount: '10' })
})

type Stats = Record<'total_users' | 'total_plans' | 'total_transactions', number> &
  Record<'total_earnings' | 'total_claims', string>
type Transaction = { trx_hash: string; created_at: string }

/** The service's list, in the order of the page. */
function newestTransactions(admin: OutsideHolder) {
  const path = `${TRANSACTIONS_PATH}?limit=100&sort_by=created_at&sort_order=desc`
  return admin.call<{ transactions: Transaction[]; total: number }>('GET', path)
}

const table = (page: Page) => page.getByRole('table', { name: 'Transaction History' })
const search = (page: Page) => page.getByRole('searchbox')

test('[ADASH-01, ADASH-02, ADASH-03, ROLE-05] five cards and four tabs, in their order', async ({
  visit,
  admin,
}) => {
  const stats = {
    ...{ total_users: 11, total_plans: 22, total_transactions: 33 },
    ...{ total_earnings: '44.500000', total_claims: '55.250000' },
  }
  const { page } = await visit({
    as: admin,
    path: DASHBOARD,
    before: (fresh) => answer(fresh, STATS_PATH, stats),
  })
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

test('[API-69] the cards show the service’s figures', async ({ visit, admin }) => {
  const { page } = await visit({ as: admin, path: DASHBOARD })
  const stats = await admin.call<Stats>('GET', STATS_PATH)
  expect(stats).toEqual({
    ...{ total_users: expect.any(Number), total_plans: expect.any(Number) },
    ...{ total_transactions: expect.any(Number), total_earnings: expect.any(String) },
    total_claims: expect.any(String),
  })
  const main = page.getByRole('main')
  await expect(fact(main, 'Total Users')).toHaveText(`${stats.total_users}`)
  await expect(fact(main, 'Total Plans')).toHaveText(`${stats.total_plans}`)
  await expect(fact(main, 'Total Transactions')).toHaveText(`${stats.total_transactions}`)
  await expect(fact(main, 'Total Earnings (DCT)')).toHaveText(stats.total_earnings)
  await expect(fact(main, 'Total Claims (DCT)')).toHaveText(stats.total_claims)
})

test('[ADASH-04] figures that cannot be loaded show no message and block nothing', async ({
  visit,
  admin,
}) => {
  const { page, toasts } = await visit({
    as: admin,
    path: DASHBOARD,
    tolerates: FAILED_CALLS,
    before: (fresh) => breakDown(fresh, STATS_PATH),
  })
  await expect(page.locator('dl[aria-label="Totals"]')).toHaveAttribute('aria-busy', 'false')
  await expect(fact(page.getByRole('main'), 'Total Users')).toHaveText('—')
  await tab(page, 'Transaction History').click()
  await expect(table(page).locator('tbody time').first()).toBeVisible()
  expect(toasts).toEqual([])
})

test('[ATX-02, ATX-03, ATX-05, ROLE-07] the search limits the transactions to an address or a hash; the columns of a transaction', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: TRANSACTIONS })
  const rows = table(page).locator('tbody tr')
  await expect(rows.nth(1)).toBeVisible()
  await search(page).fill(second.address)
  await expect(rows).toHaveCount(1)
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([second.address])

  await search(page).fill(hash)
  await expect
    .poll(() => headers(table(page)))
    .toEqual(['Status', 'Tron Address', 'Earning Code', 'Tx Hash', 'Date'])
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([first.address])
  await expect(rows).toHaveCount(1)
  await expect(rows.locator('td').nth(0)).toHaveText('Active')
  await expect(rows.locator('td').nth(2)).toHaveText('PLAN-360')
  await expect.poll(() => titlesOf(table(page), 3)).toEqual([hash])
  const { transactions } = await newestTransactions(admin)
  const lockedAt = transactions.find(({ trx_hash }) => trx_hash === hash)?.created_at ?? ''
  await expect(rows.locator('td').nth(4)).toHaveText(shownDate(lockedAt))
  await expectFilled(table(page))
})

test('[API-59] the list is requested with page, search, order and filter, and returns users and their number', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({ as: admin, path: '/admin/dashboard?tab=users' })
  await page.getByRole('searchbox').fill('TNobody')
  await page.getByRole('checkbox', { name: 'Only users with a reward percentage' }).click()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', '/api/admin/users').at(-1)))
    .toMatchObject({
      ...{ page: '1', limit: '10', search: 'TNobody', filter_reward_percentage: 'true' },
      ...{ sort_by: expect.any(String), sort_order: expect.any(String) },
    })
  const answered = await admin.call('GET', '/api/admin/users')
  expect(answered).toMatchObject({ users: expect.any(Array), total: expect.any(Number) })
})

test('[ATX-01, ATX-07] a range of days without transactions', async ({ visit, admin, product }) => {
  const { business_date: today } = await fetch(`${product.url}/api/config`).then((reply) =>
    reply.json(),
  )
  const { page, calls } = await visit({
    as: admin,
    path: `${TRANSACTIONS}&tx-search=${first.address}`,
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
  await page.getByLabel('End Date').fill(today)
  await expect(page.getByText(NO_TRANSACTION)).toHaveCount(0)
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([first.address])
})

test('[ATX-04] each column sorts in both directions', async ({ visit, admin }) => {
  const { page, calls } = await visit({ as: admin, path: TRANSACTIONS })
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
      const hashes = await titlesOf(table(page), 3)
      const sorted = hashes.toSorted()
      expect(hashes).toEqual(order === 'asc' ? sorted : sorted.toReversed())
    }
  }
})

test('[ATX-06] ten transactions per page', async ({ visit, admin, product }) => {
  for (let more = 0; more < 9; more += 1) {
    const staker = await product.holder({ isRegistered: false, assets: { usdt: '0', bnb: '0' } })
    await staker.lock(PLAN_360, '10')
  }
  await product.settle()
  const { transactions, total } = await newestTransactions(admin)
  const hashes = transactions.map(({ trx_hash }) => trx_hash)
  const pages = Math.ceil(total / 10)
  expect(pages).toBeGreaterThan(1)

  const { page, calls } = await visit({ as: admin, path: TRANSACTIONS })
  await expect.poll(() => titlesOf(table(page), 3)).toEqual(hashes.slice(0, 10))
  await expect(page.getByText(`Page 1 of ${pages}`, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText(`Page 2 of ${pages}`, { exact: true })).toBeVisible()
  await expect.poll(() => titlesOf(table(page), 3)).toEqual(hashes.slice(10, 20))
  await page.getByRole('button', { name: 'Prev', exact: true }).click()
  await expect(page.getByText(`Page 1 of ${pages}`, { exact: true })).toBeVisible()
  await expect.poll(() => titlesOf(table(page), 3)).toEqual(hashes.slice(0, 10))
  expect(queryOf(callsOf(calls, 'GET', TRANSACTIONS_PATH)[0])).toMatchObject({
    page: '1',
    limit: '10',
  })
})

test('[ERR-07] lists that cannot be loaded show one message each', async ({ visit, admin }) => {
  const { page, toasts } = await visit({ as: admin, path: DASHBOARD, tolerates: FAILED_CALLS })
  const failed = 'An error occurs when loading data.'
  const expectMessage = async () => {
    await expect(page.getByText(/could not be loaded/).last()).toBeVisible()
    await expect.poll(() => toasts).toEqual([failed])
    await dismissToast(page, failed)
    toasts.length = 0
  }
  for (const [path, name] of [
    ['/api/admin/users', 'List of Users'],
    [TRANSACTIONS_PATH, 'Transaction History'],
    ['/api/admin/earning-plans', 'Earning Plans'],
  ] as const) {
    await breakDown(page, path)
    await tab(page, name).click()
    await expectMessage()
  }

  await restore(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  for (const [path, name] of [
    ['/api/admin/user-earnings', 'See participants'],
    ['/api/admin/daily-user-earnings', 'See daily participants'],
  ] as const) {
    await breakDown(page, path)
    await page.getByRole('button', { name, exact: true }).first().click()
    await expectMessage()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  }
})
