import { claimed, joined, PLAN_360 } from '../support/scenes.ts'
import { fact, part, shownDecimal } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PATH = '/admin/control'
const MONEY = '/api/admin/money'
type Money = {
  dct: { total: Record<string, string> }
  costs: {
    reward_payouts: { spent: string; each: string; each_usdt: string }
    trx_price: string
    energy_fees: { brought: string }
  }
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
