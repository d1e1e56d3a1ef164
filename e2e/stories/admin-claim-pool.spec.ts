import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf, queryOf } from '../support/calls.ts'
import { sortBy, titlesOf } from '../support/lists.ts'
import { breakDown, cutOff, FAILED_CALLS } from '../support/provoke.ts'
import { claimReferral, payFees, referralCodeOf } from '../support/referrals.ts'
import { fact, headers, shownDate, shownDecimal, tab, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

type Entry = {
  id: string
  created_at: string
  last_claim_date: string
  total_accumulated: string
  usdt_address: string
}

const PATH = '/admin/referral-claim-pool'
const POOL = '/api/admin/referral-claim-pool'
const APPROVAL = '/api/admin/referral-claim-approval'
const TOO_LOW = '❌ Gagal: Saldo USDT admin tidak mencukupi untuk klaim ini'

let earner: OutsideHolder
let entry: Entry

/** A referral of `earner` pays a fee, and `earner` claims the reward. */
test.beforeAll(async ({ product, admin }) => {
  earner = await product.holder({ email: 'earner@example.org' })
  await payFees(product, [await product.holder({ referrerCode: await referralCodeOf(earner) })])
  await claimReferral(earner, 'direct bonus')
  const { claim_pool } = await admin.call<{ claim_pool: Entry[] }>(
    'GET',
    `${POOL}?search=${earner.address}&bonus_type=direct%20bonus`,
  )
  const [newest] = claim_pool
  if (newest === undefined) throw new Error('The claim is not in the pool')
  entry = newest
})

const mine = () => `${PATH}?direct-search=${earner.address}`
const table = (page: Page) => page.getByRole('table', { name: 'Referral Claim Pool' })
const row = (page: Page) =>
  table(page).locator('tbody tr').filter({ hasText: 'earner@example.org' })
const approve = (page: Page) => row(page).getByRole('button', { name: 'Approve', exact: true })
const modal = (page: Page) => page.getByRole('dialog', { name: 'Confirm Approval', exact: true })
const confirm = (page: Page) => modal(page).getByRole('button', { name: 'Confirm', exact: true })
const balance = (page: Page) => fact(page.getByRole('main'), 'Admin USDT balance').first()

test('[APOOL-01, APOOL-02, APOOL-03, APOOL-04, APOOL-05, APOOL-06] the page, its balance, its warning and its filters', async ({
  visit,
  admin,
  product,
}) => {
  const { page, calls } = await visit({ as: admin, path: PATH })
  await expect(
    page.getByRole('heading', { level: 1, name: 'Referral Claim Pool', exact: true }),
  ).toBeVisible()
  await expect(balance(page)).toHaveText(/^[\d,]+\.\d{6} USDT$/)
  await expect(page.getByRole('main')).toContainText(product.info.bsc.payout_address)
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

test('[CHAIN-11, CHAIN-12, CHAIN-13] the balance is read from the USDT contract on BSC, without a wallet', async ({
  visit,
  admin,
  product,
}) => {
  const { page, calls } = await visit({ as: admin, path: PATH, wallet: 'absent' })
  await expect(balance(page)).toHaveText(/^[\d,]+\.\d{6} USDT$/)
  const asked = callsOf(calls, 'POST', '/bsc').map(({ body }) => body)
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['eth_call']))
  const { usdt, payout_address: wallet, rpc } = product.info.bsc
  const owner = wallet.slice(2).toLowerCase().padStart(64, '0')
  const [{ to, data }] = asked[0]?.params ?? []
  expect([to.toLowerCase(), data.toLowerCase()]).toEqual([usdt.toLowerCase(), `0x70a08231${owner}`])

  const reply = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...asked[0] }),
  })
  const units = BigInt((await reply.json()).result)
  const { approved_unpaid: unpaid } = await admin.call<{ approved_unpaid: string }>('GET', POOL)
  const left = units / 10n ** 12n - BigInt(unpaid.replace('.', ''))
  const decimal = `${left / 1_000_000n}.${`${left % 1_000_000n}`.padStart(6, '0')}`
  await expect(balance(page)).toHaveText(`${shownDecimal(decimal)} USDT`)
})

test('[APOOL-07, APOOL-08, APOOL-09, APOOL-14, APOOL-15, APOOL-20] each tab requests its bonus type, newest first', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({ as: admin, path: PATH })
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
  await page.getByRole('searchbox').fill(earner.address)
  await expect(page.getByText('No data found.', { exact: true })).toBeVisible()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', POOL).at(-1)))
    .toMatchObject({ bonus_type: 'non-direct' })
})

test('[APOOL-10, APOOL-11, APOOL-13, APOOL-21, APOOL-22] the columns, and which of them sort', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({ as: admin, path: mine() })
  await expect(approve(page)).toBeVisible()
  await expect
    .poll(() => headers(table(page)))
    .toEqual([
      ...['Created At', 'Tron Address', 'Email', 'Total Accumulated', 'Claim Date'],
      ...['USDT Address', 'Tx Hash (USDT)', 'Approve At', 'Approve'],
    ])
  const cells = row(page).locator('td')
  await expect(cells.nth(0)).toHaveText(shownDate(entry.created_at))
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([earner.address])
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

test('[APOOL-29] a balance that cannot be read is shown as 0 with a message, and nothing can be approved', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({
    as: admin,
    path: mine(),
    tolerates: FAILED_CALLS,
    before: (fresh) => cutOff(fresh, '/bsc'),
  })
  await expect(balance(page)).toHaveText('0.000000 USDT')
  await expect(page.getByRole('alert').getByText(/could not be read/)).toBeVisible()
  await approve(page).click()
  await confirm(page).click()
  await expect(toast(page, TOO_LOW)).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])
})

test('[APOOL-25] a claim pushed off the page by newer ones is not approved', async ({
  visit,
  admin,
  product,
}) => {
  const other = await product.holder()
  await payFees(product, [await product.holder({ referrerCode: await referralCodeOf(other) })])
  const { page, calls } = await visit({
    as: admin,
    path: PATH,
    before: (fresh) => fresh.clock.install(),
  })
  await approve(page).click()
  await expect(modal(page).locator('dl')).toHaveCount(1)
  for (let made = 0; made < 10; made += 1) {
    const id = await claimReferral(other, 'direct bonus')
    await admin.call('PUT', '/api/admin/referral-claim-decline', { id, reason: 'Once more' })
  }
  await page.clock.fastForward(31_000)
  // The open modal hides the list behind it, but its own facts disappear when the list has changed.
  await expect(modal(page).locator('dl')).toHaveCount(0)
  await confirm(page).click()
  await expect(toast(page, 'Claim not found')).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])
})

test('[APOOL-28, ERR-08] a list that cannot be loaded shows no toast', async ({ visit, admin }) => {
  const { page, toasts } = await visit({
    as: admin,
    path: PATH,
    tolerates: FAILED_CALLS,
    before: (fresh) => breakDown(fresh, POOL),
  })
  await expect(page.getByText('This list could not be loaded.')).toBeVisible()
  // Once the second list has failed too, a toast about the first one would have been shown.
  await tab(page, 'Fee Earning').click()
  await expect(page.getByRole('tab', { name: 'Fee Earning', selected: true })).toBeVisible()
  await expect(page.getByText('This list could not be loaded.')).toBeVisible()
  expect(toasts).toEqual([])
})

test('[APOOL-12, APOOL-16, APOOL-17, APOOL-18, APOOL-19, APOOL-30, ROLE-11] the modal asks for confirmation, and Cancel sends nothing; a claim is approved and paid', async ({
  visit,
  admin,
  product,
}) => {
  const { page, calls } = await visit({ as: admin, path: mine() })
  await approve(page).click()
  await expect(
    modal(page).getByText('Are you sure you want to approve this claim?', { exact: true }),
  ).toBeVisible()
  await modal(page).getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(modal(page)).toHaveCount(0)
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])

  await approve(page).click()
  const replied = page.waitForResponse((response) => response.url().endsWith(APPROVAL))
  await confirm(page).click()
  const { message } = await (await replied).json()
  await expect(toast(page, message)).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL).map(({ body }) => body)).toEqual([{ id: entry.id }])
  await expect(modal(page)).toHaveCount(0)
  await expect(row(page).getByText('Approved', { exact: true })).toBeVisible()
  await expect(approve(page)).toHaveCount(0)
  await product.settle()
  await page.reload()
  await expect(row(page).locator('td').nth(6).getByRole('link')).toBeVisible()
})
