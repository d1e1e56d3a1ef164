import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { alter, breakDown, FAILED_CALLS, restore } from '../support/provoke.ts'
import { claimed, joined, PLAN_360 } from '../support/scenes.ts'
import { fact, part, shownDecimal } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PATH = '/admin/control'
const MONEY = '/api/admin/money'
type Money = {
  dct: { total: Record<string, string> }
  funds: { name: string; amount: string | null; read_at: string | null; is_stale: boolean }[]
  costs: {
    reward_payouts: { spent: string; each: string; each_usdt: string }
    trx_price: string
    energy_fees: { brought: string }
  }
  warnings: object[]
}

/** Two stakes in the middle of their plan: one has a claim that waits for its fee, the other a paid HALF claim. */
test.beforeAll(async ({ product }) => {
  const [holder, other] = [await product.holder(), await product.holder()]
  await joined(product, holder, { plan: PLAN_360, amount: '50' })
  await joined(product, other, { plan: PLAN_360, amount: '50' })
  await product.advance(8)
  await claimed(product, other, { plan: PLAN_360, type: 'HALF' })
  await claimed(product, holder, { plan: PLAN_360, type: 'FULL' })
  await product.advance(1)
})

const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const chart = (page: Page, title: string) =>
  page.locator('figure').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test('the admin dashboard keeps its own tabs and links to two pages: what is done for holders, and the service as a whole', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: '/admin/dashboard' })
  await expect(page.getByRole('tab')).toHaveText([
    'Statistics',
    'List of Users',
    'Transaction History',
    'Earning Plans',
  ])
  await page.getByRole('link', { name: 'Operations', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/operations$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Operations' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText([
    ...[/^Payments/, /^Payouts/, /^Second approvals/, /^Cases$/],
  ])
  await page.getByRole('link', { name: 'Control', exact: true }).click()
  await expect(page.getByRole('tab')).toHaveText([
    ...[/^Money/, /^Daily close$/, /^Price/, /^Terms$/, /^Health/, /^Admin log$/],
  ])
})

test('debts are shown next to the funds, per plan and in total, and the actual cost of payouts next to the income from the energy fee', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: PATH })
  const owed = part(page, 'Owed in DCT')
  await expect(owed).toBeVisible()
  const { dct, costs: paid } = await admin.call<Money>('GET', MONEY)
  const matrix = owed.getByRole('table', { name: 'Owed in DCT' })
  await expect(matrix.locator('thead th')).toHaveText([
    'Figure',
    'All plans',
    'PLAN-360',
    'PLAN-720',
  ])
  const cells = (name: RegExp) => matrix.getByRole('row').filter({ hasText: name }).locator('td')
  await expect(cells(/^Total owed/).first()).toHaveText(shownDecimal(dct.total.owed ?? ''))
  await expect(cells(/^Waiting for a fee/).first()).toHaveText(
    shownDecimal(dct.total.awaiting_fee ?? ''),
  )
  expect(Number(dct.total.awaiting_fee)).toBeGreaterThanOrEqual(0.8)
  for (const name of [/^Free/, /^In the reward pool \(chain\)/, /^Paid/]) {
    for (const plan of [1, 2]) await expect(cells(name).nth(plan)).toHaveText(/^[\d,]+\.\d{6}$/)
  }
  const bar = owed.getByRole('article', { name: 'PLAN-360', exact: true })
  await expect(bar).toContainText('Funded 10,000.000000 DCT')
  expect(Number(dct.total.paid)).toBeGreaterThan(0)
  const funds = part(page, 'Available funds')
  await expect(fact(funds, 'Vault (USDT)')).toHaveText(/^[\d,]+\.\d{6} USDT$/)
  await expect(funds.getByText(/^As of /)).toHaveCount(6)
  await expect(page.getByText('No shortfalls, and no balance is about to run out.')).toBeVisible()

  const costs = part(page, 'What payouts cost')
  expect(Number(paid.reward_payouts.each)).toBeGreaterThan(1)
  await expect(fact(costs, 'Reward payouts')).toHaveText(
    shownDecimal(`${paid.reward_payouts.spent} TRX`),
  )
  await expect(fact(costs, 'Cost of one reward payout')).toHaveText(
    shownDecimal(`${paid.reward_payouts.each} TRX`),
  )
  const each = `${paid.reward_payouts.each_usdt} USDT, at ${paid.trx_price} USDT for one TRX (a setting)`
  await expect(costs.getByText(each)).toBeVisible()
  await expect(fact(costs, 'Energy fee')).toHaveText('0.100000 USDT')
  await expect(fact(costs, 'Energy fees received')).toHaveText(
    shownDecimal(`${paid.energy_fees.brought} USDT`),
  )
})

test('unknown figures are shown as unknown and never as 0, and warnings name the shortages', async ({
  visit,
  admin,
}) => {
  const short = {
    ...{ code: 'TRX_LOW', severity: 'bad', subject: 'operator_trx' },
    ...{ there: '12.000000', needed: '3000.000000', days: null },
  }
  const dear = {
    ...{ code: 'ENERGY_FEE_LOW', severity: 'warn', subject: 'operator_trx' },
    ...{ there: '0.100000', needed: '2.430000', days: null },
  }
  const { page } = await visit({
    as: admin,
    path: PATH,
    before: (fresh) =>
      alter(fresh, MONEY, (money: Money) => ({
        ...money,
        funds: money.funds.map((fund) =>
          fund.name === 'payout_bnb'
            ? { ...fund, amount: null, read_at: null, is_stale: true }
            : fund,
        ),
        warnings: [short, dear],
      })),
  })
  const funds = part(page, 'Available funds')
  await expect(fact(funds, 'Payer of the vault (BNB)')).toHaveText('—')
  await expect(funds.getByText('Never read')).toBeVisible()
  await expect(part(page, 'Warnings')).toHaveText(
    'Operator (TRX): 12.000000 TRX are left; 3,000.000000 TRX are needed for pending payouts and 100 more.' +
      'A reward payout costs 2.430000 USDT on average, but the energy fee brings in 0.100000 USDT. ' +
      'Raise the energy fee under “Price”, or stake TRX for energy.',
  )
})

test('the charts are loaded once they are seen and show each day’s figures, for all plans or for one', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({ as: admin, path: PATH })
  await expect(part(page, 'What payouts cost')).toBeVisible()
  expect(callsOf(calls, 'GET', '/api/admin/money-history')).toEqual([])
  await page.keyboard.press('End')
  const owed = chart(page, 'Owed in DCT')
  await expect(owed.locator('path[data-tone]')).toHaveCount(2)
  await owed.getByText('Figures by day').click()
  const rows = owed.getByRole('table', { name: 'Owed in DCT' }).locator('tbody tr')
  await expect(rows.last().locator('td').first()).toHaveText(/^\d+\.\d{6}$/)
  expect(await rows.count()).toBeGreaterThanOrEqual(9)
  const ofAll = await rows.last().locator('td').last().textContent()

  await choice(page, 'Plan').selectOption('PLAN-360')
  await choice(page, 'Days').selectOption('Last 90 days')
  await expect(rows.last().locator('td').last()).not.toHaveText(ofAll ?? '')
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', '/api/admin/money-history').at(-1)))
    .toEqual({ days: '90', plan_code: 'PLAN-360' })
  const locked = chart(page, 'Locked per day')
  await locked.getByText('Figures by day').click()
  const { days } = await admin.call<{ days: { dct_locked: string | null }[] }>(
    ...(['GET', '/api/admin/money-history?days=90&plan_code=PLAN-360'] as const),
  )
  const lockedByDay = days.map(({ dct_locked }) => dct_locked)
  expect(lockedByDay.reduce((sum, amount) => sum + Number(amount), 0)).toBeGreaterThanOrEqual(100)
  await expect(locked.locator('tbody td')).toHaveText(
    lockedByDay.map((amount) => shownDecimal(amount ?? '—')),
  )
  for (const title of ['Owed in USDT', 'Operator (TRX)', 'Payer of the vault (BNB)']) {
    await expect(chart(page, title).locator('path[data-tone]').first()).toHaveAttribute('d', /^M/)
  }
})

test('figures that cannot be loaded show a message and a retry', async ({ visit, admin }) => {
  const { page } = await visit({
    as: admin,
    path: PATH,
    tolerates: FAILED_CALLS,
    before: (fresh) => breakDown(fresh, MONEY),
  })
  await expect(page.getByText('The figures could not be loaded.')).toBeVisible()
  await restore(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(part(page, 'Owed in USDT')).toBeVisible()
})
