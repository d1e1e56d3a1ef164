import type { MoneyHistoryReply, MoneyReply } from '@dct/api-contract/operations'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { fact, part, shownDecimal } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { recordedReply } from './support/world.ts'

const PATH = '/admin/control'
const MONEY = 'GET /api/admin/money'
const HISTORY = 'GET /api/admin/money-history'

const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const chart = (page: Page, title: string) =>
  page.locator('figure').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test('the admin dashboard keeps its own tabs and links to two pages: what is done for holders, and the service as a whole', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'admin', path: '/admin/dashboard' })
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

test('unknown figures are shown as unknown and never as 0, and warnings name the shortages', async ({
  visit,
  world,
}) => {
  const short = {
    ...{ code: 'TRX_LOW', severity: 'bad', subject: 'operator_trx' },
    ...{ there: '12.000000', needed: '3000.000000', days: null },
  }
  const dear = {
    ...{ code: 'ENERGY_FEE_LOW', severity: 'warn', subject: 'operator_trx' },
    ...{ there: '0.100000', needed: '2.430000', days: null },
  }
  world.alter<MoneyReply>(MONEY, (money) => ({
    ...money,
    funds: money.funds.map((fund) =>
      fund.name === 'payout_bnb' ? { ...fund, amount: null, read_at: null, is_stale: true } : fund,
    ),
    warnings: [short, dear],
  }))
  const { page } = await visit({ as: 'admin', path: PATH })
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
  world,
}) => {
  const { days, ...frame } = recordedReply<MoneyHistoryReply>(HISTORY)
  const ofPlan = days.map((day) => ({ ...day, dct_pool: '10000.000000', dct_locked: '50.000000' }))
  world.answer(HISTORY, ({ query }) => ({
    ...frame,
    days: query.plan_code === undefined ? days : ofPlan,
  }))
  const { page, calls } = await visit({ as: 'admin', path: PATH })
  await expect(part(page, 'What payouts cost')).toBeVisible()
  expect(callsOf(calls, 'GET', '/api/admin/money-history')).toEqual([])
  await page.keyboard.press('End')
  const owed = chart(page, 'Owed in DCT')
  await expect(owed.locator('path[data-tone]')).toHaveCount(2)
  await owed.getByText('Figures by day').click()
  const rows = owed.getByRole('table', { name: 'Owed in DCT' }).locator('tbody tr')
  await expect(rows).toHaveCount(days.length)
  const ofAll = await rows.last().locator('td').last().textContent()

  await choice(page, 'Plan').selectOption('PLAN-360')
  await choice(page, 'Days').selectOption('Last 90 days')
  await expect(rows.last().locator('td').last()).not.toHaveText(ofAll ?? '')
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', '/api/admin/money-history').at(-1)))
    .toEqual({ days: '90', plan_code: 'PLAN-360' })
  const locked = chart(page, 'Locked per day')
  await locked.getByText('Figures by day').click()
  await expect(locked.locator('tbody td')).toHaveText(
    ofPlan.map(({ dct_locked }) => shownDecimal(dct_locked)),
  )
  for (const title of ['Owed in USDT', 'Operator (TRX)', 'Payer of the vault (BNB)']) {
    await expect(chart(page, title).locator('path[data-tone]').first()).toHaveAttribute('d', /^M/)
  }
})

test('figures that cannot be loaded show a message and a retry', async ({ visit, world }) => {
  world.breakDown(MONEY)
  const { page } = await visit({ as: 'admin', path: PATH, tolerates: FAILED_CALLS })
  await expect(page.getByText('The figures could not be loaded.')).toBeVisible()
  world.mend(MONEY)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(part(page, 'Owed in USDT')).toBeVisible()
})
