import type { ConfigReply } from '@dct/api-contract/config'
import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { sortBy, titlesOf } from '../support/lists.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { fact, headers, shownDate, tab, toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply, type World } from './support/world.ts'

const PATH = '/admin/referral-claim-pool'
const POOL = '/api/admin/referral-claim-pool'
const APPROVAL = '/api/admin/referral-claim-approval'
const TOO_LOW = '❌ Gagal: Saldo USDT admin tidak mencukupi untuk klaim ini'
const BALANCE_OF = 'POST /bsc'

const [recorded] = recordedReply<{ claim_pool: [ClaimPoolEntry] }>(`GET ${POOL}`).claim_pool
const entry = {
  ...recorded,
  ...{ email: 'earner@example.org', total_accumulated: '0.036000', bonus_type: 'direct bonus' },
}

/** What the BSC node says that the vault holds, in units of 18 decimals. */
function holds(world: World, units: bigint): void {
  const result = `0x${units.toString(16).padStart(64, '0')}`
  world.answer(BALANCE_OF, { jsonrpc: '2.0', id: 1, result })
}
const usdt = (micro: bigint) => micro * 10n ** 12n

/** Lists these claims; `approvedUnpaid` is what approved ones still wait for. */
function pool(world: World, claims: readonly object[], approvedUnpaid = '0.000000'): void {
  world.answer(`GET ${POOL}`, (asked) => ({
    ...listOf('claim_pool', claims, asked, { day: 'created_at' as never }),
    approved_unpaid: approvedUnpaid,
  }))
}

test.beforeEach(({ world }) => {
  holds(world, usdt(1_234_500_000n))
  pool(world, [entry])
})

const mine = () => `${PATH}?direct-search=${entry.tron_address}`
const table = (page: Page) => page.getByRole('table', { name: 'Referral Claim Pool' })
const row = (page: Page) =>
  table(page).locator('tbody tr').filter({ hasText: 'earner@example.org' })
const approve = (page: Page) => row(page).getByRole('button', { name: 'Approve', exact: true })
const modal = (page: Page) => page.getByRole('dialog', { name: 'Confirm Approval', exact: true })
const confirm = (page: Page) => modal(page).getByRole('button', { name: 'Confirm', exact: true })
const balance = (page: Page) => fact(page.getByRole('main'), 'Admin USDT balance').first()

test('[APOOL-01, APOOL-02, APOOL-03, APOOL-04, APOOL-05, APOOL-06] the page, its balance, its warning and its filters', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: PATH })
  await expect(
    page.getByRole('heading', { level: 1, name: 'Referral Claim Pool', exact: true }),
  ).toBeVisible()
  await expect(balance(page)).toHaveText(/^[\d,]+\.\d{6} USDT$/)
  await expect(page.getByRole('main')).toContainText(
    recordedReply<ConfigReply>('GET /api/config').bsc.payout_address,
  )
  await expect(
    page.getByText(
      "Important: Ensure the admin's USDT balance is sufficient before approval (for transfer during referral reward claim).",
      { exact: true },
    ),
  ).toBeVisible()
  await expect(
    page.getByPlaceholder('Search by Tron Address, Tx Hash', { exact: true }),
  ).toBeVisible()
  await page.getByLabel('Start Date').fill('2020-01-01')
  await page.getByLabel('End Date').fill('2020-01-02')
  await expect(page.getByText('No data found.')).toBeVisible()
  // The browser's own style of dates is seen only while one is typed.
  await expect(page.getByText('1 Jan 2020', { exact: true })).toBeVisible()
  await expect(page.getByText('2 Jan 2020', { exact: true })).toBeHidden()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', POOL).at(-1)))
    .toMatchObject({
      start_date: '2020-01-01',
      end_date: '2020-01-02',
    })
  // Each of the two filters alone excludes the claim.
  await page.getByLabel('End Date').fill('')
  await expect(row(page)).toBeVisible()
  await page.getByLabel('Start Date').fill('2100-01-01')
  await expect(page.getByText('No data found.')).toBeVisible()
  await page.getByLabel('Start Date').fill('')
  await expect(row(page)).toBeVisible()
  await page.getByLabel('End Date').fill('2020-01-02')
  await expect(page.getByText('No data found.')).toBeVisible()
  const read = callsOf(calls, 'POST', '/bsc')[0]
  expect(read?.body.params[0].data).toMatch(/^0x70a08231/)
})

test('[APOOL-07, APOOL-08, APOOL-09, APOOL-14, APOOL-15, APOOL-20] each tab requests its bonus type, newest first', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: PATH })
  await expect(tab(page, 'Fee Referral')).toHaveAttribute('aria-selected', 'true')
  await expect(row(page)).toBeVisible()
  expect(queryOf(callsOf(calls, 'GET', POOL)[0])).toMatchObject({
    ...{ bonus_type: 'direct bonus', page: '1', limit: '10' },
    ...{ sort_by: 'created_at', sort_order: 'desc' },
  })
  await expect(page.getByRole('button', { name: 'Prev', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeVisible()
  await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible()
  await tab(page, 'Fee Earning').click()
  await expect(page.getByRole('tab', { name: 'Fee Earning', selected: true })).toBeVisible()
  await page.getByRole('searchbox').fill(entry.tron_address)
  await expect(page.getByText('No data found.', { exact: true })).toBeVisible()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', POOL).at(-1)))
    .toMatchObject({ bonus_type: 'non-direct' })
})

test('[APOOL-10, APOOL-11, APOOL-13, APOOL-21, APOOL-22] the columns, and which of them sort', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: mine() })
  await expect(approve(page)).toBeVisible()
  await expect
    .poll(() => headers(table(page)))
    .toEqual([
      ...['Created At', 'Tron Address', 'Email', 'Total Accumulated', 'Claim Date'],
      ...['USDT Address', 'Tx Hash (USDT)', 'Approve At', 'Approve'],
    ])
  const cells = row(page).locator('td')
  await expect(cells.nth(0)).toHaveText(shownDate(entry.created_at))
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([entry.tron_address])
  await expect(cells.nth(3)).toHaveText(`${entry.total_accumulated} USDT`)
  await expect(cells.nth(4)).toHaveText(shownDate(entry.last_claim_date))
  await expect.poll(() => titlesOf(table(page), 5)).toEqual([entry.usdt_address])
  await expect(cells.nth(6)).toHaveText('Not processed yet')
  await expect(cells.nth(7)).toHaveText('Not processed yet')
  await expect(table(page).locator('thead').getByRole('button')).toHaveText([
    'Created At',
    'Tron Address',
    'Claim Date',
  ])
  const last = () => queryOf(callsOf(calls, 'GET', POOL).at(-1))
  await sortBy(table(page), 'Created At', 'ascending')
  expect(last()).toMatchObject({ sort_by: 'created_at', sort_order: 'asc' })
  await sortBy(table(page), 'Claim Date', 'ascending')
  expect(last()).toMatchObject({ sort_by: 'last_claim_date', sort_order: 'asc' })
  await sortBy(table(page), 'Claim Date', 'descending')
  await sortBy(table(page), 'Tron Address', 'ascending')
  expect(last()).toMatchObject({ sort_by: 'tron_address', sort_order: 'asc' })
})

test('[APOOL-28, ERR-08] a list that cannot be loaded shows no toast', async ({ visit, world }) => {
  world.breakDown(`GET ${POOL}`)
  const { page, toasts } = await visit({ as: 'admin', path: PATH, tolerates: FAILED_CALLS })
  await expect(page.getByText('This list could not be loaded.')).toBeVisible()
  // Once the second list has failed too, a toast about the first one would have been shown.
  await tab(page, 'Fee Earning').click()
  await expect(page.getByRole('tab', { name: 'Fee Earning', selected: true })).toBeVisible()
  await expect(page.getByText('This list could not be loaded.')).toBeVisible()
  expect(toasts).toEqual([])
})

test('[APOOL-29] a balance that cannot be read is shown as 0 with a message, and nothing can be approved', async ({
  visit,
  world,
}) => {
  world.breakDown(BALANCE_OF)
  const { page, calls } = await visit({ as: 'admin', path: mine(), tolerates: FAILED_CALLS })
  await expect(balance(page)).toHaveText('0.000000 USDT')
  await expect(page.getByRole('alert').getByText(/could not be read/)).toBeVisible()
  await approve(page).click()
  await confirm(page).click()
  await expect(toast(page, TOO_LOW)).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])
})

test('[APOOL-25] a claim pushed off the page by newer ones is not approved', async ({
  visit,
  world,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: PATH, hasOwnClock: true })
  await approve(page).click()
  await expect(modal(page).locator('dl')).toHaveCount(1)
  const newer = Array.from({ length: 10 }, (_, index) => ({
    ...{ ...entry, id: `${100 + index}`, email: null, created_at: '2100-01-01T03:04:05.000Z' },
  }))
  pool(world, [entry, ...newer])
  await page.clock.fastForward(31_000)
  // The open modal hides the list behind it, but its own facts disappear when the list has changed.
  await expect(modal(page).locator('dl')).toHaveCount(0)
  await confirm(page).click()
  await expect(toast(page, 'Claim not found')).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])
})

test('[APOOL-23, APOOL-24] a balance that is one unit too low blocks the approval', async ({
  visit,
  world,
}) => {
  holds(world, usdt(36_000n) - 1n)
  const { page, calls } = await visit({ as: 'admin', path: PATH })
  await expect(row(page)).toContainText('0.036000 USDT')
  await expect(balance(page)).toHaveText('0.035999 USDT')
  await approve(page).click()
  await confirm(page).click()
  await expect(toast(page, TOO_LOW)).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])
})

test('[APOOL-23, APOOL-26, APOOL-27] a balance equal to the claim is enough; approved, unpaid claims are deducted from the balance, down to 0', async ({
  visit,
  world,
}) => {
  holds(world, usdt(36_000n))
  world.answer(`PUT ${APPROVAL}`, () => {
    pool(world, [{ ...entry, state: 'approved', approve_at: entry.created_at }], '0.036000')
    return { message: SUCCESSES.REFERRAL_CLAIM_APPROVED, is_approved: true }
  })
  const { page, calls } = await visit({ as: 'admin', path: PATH })
  await expect(balance(page)).toHaveText('0.036000 USDT')
  await approve(page).click()
  await confirm(page).click()
  await expect(row(page).getByText('Approved', { exact: true })).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toHaveLength(1)
  await expect(balance(page)).toHaveText('0.000000 USDT')

  holds(world, usdt(3_536_000n))
  await page.reload()
  await expect(balance(page)).toHaveText('3.500000 USDT')

  holds(world, usdt(20_000n))
  await page.reload()
  await expect(row(page)).toContainText('0.036000 USDT')
  await expect(page.getByRole('main')).toContainText('0.020000')
  await expect(balance(page)).toHaveText('0.000000 USDT')
})
