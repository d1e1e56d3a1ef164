import type { OutsideHolder } from '../outside/outside-client.ts'
import { fact, joinForm, overlay, sidewaysOverflow } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

let newcomer: OutsideHolder
test.beforeAll(async ({ product }) => {
  newcomer = await product.holder()
})

test('before a join everything that it brings and costs stands beside the amount', async ({
  visit,
}) => {
  const { page } = await visit({ as: newcomer, path: '/dashboard?tab=join' })
  const { panel, plan, amount } = joinForm(page)
  await plan.selectOption('PLAN-360')
  await amount.fill('50')
  await expect(fact(panel, 'Reward per cycle (day)')).toHaveText('0.100000 DCT')
  await expect(fact(panel, 'Whole reward (360 cycles)')).toHaveText('36.000000 DCT')
  await expect(fact(panel, 'Fees of all 12 claims, at most')).toHaveText('15.720000 USDT')
  await expect(fact(panel, 'Left after all fees, at today’s price')).toContainText('20.280000 USDT')
  await expect(fact(panel, 'The same in DCT')).toHaveText('20.280000 DCT')
  await expect(fact(panel, 'Your 50.000000 DCT return on').locator('time')).toBeVisible()

  const methods = panel.getByRole('table', { name: /^One claim of 3\.000000 DCT/ })
  const cells = async (name: string) =>
    methods.getByRole('row', { name }).getByRole('cell').allInnerTexts()
  expect(await cells('Sent at once')).toEqual(['0.000000 DCT', '1.500000 DCT'])
  expect(await cells('Sent after the fee')).toEqual(['3.000000 DCT', '1.500000 DCT'])
  expect(await cells('Fee, at most')).toEqual(['1.310000 USDT', '1.310000 USDT'])

  await expect(panel).toContainText('Claim at least every 30 cycles.')
  await expect(panel).toContainText(
    'Without any claim 3.300000 DCT would be credited and 32.700000 DCT lost.',
  )
  const risks = panel.getByText(/^The tokens are locked until the end/)
  await expect(risks).toBeVisible()
})

test('all of it fits on the narrowest phone', async ({ visit }) => {
  const { page } = await visit({
    as: newcomer,
    path: '/dashboard?tab=join',
    context: { viewport: { width: 360, height: 740 } },
  })
  const { panel, plan, amount } = joinForm(page)
  await plan.selectOption('PLAN-720')
  await amount.fill('49.999999')
  await expect(panel.getByRole('table', { name: /^One claim of/ })).toBeVisible()
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
})

test('a join that was sent is told on another device, and disappears there once it is confirmed', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const hash = await holder.lock({ code: 'PLAN-360', durationDays: 360 }, '20')
  const desk = await visit({
    as: holder,
    wallet: 'absent',
    path: '/dashboard',
    before: async (fresh) => {
      await holder.call('POST', '/api/user/earnings', {
        plan_code: 'PLAN-360',
        amount: '20',
        trx_hash: hash,
      })
      // What the chain has confirmed meanwhile is shown to this page only when the test lets it.
      await fresh.route('**/api/user/earnings?*', async (route) => {
        const response = await route.fetch()
        const answer = (await response.json()) as { earnings: object[] }
        const waiting = answer.earnings.map((one) => ({ ...one, is_hash_confirmed: 'WAITING' }))
        await route.fulfill({ response, json: { ...answer, earnings: waiting } })
      })
    },
  })
  const told = desk.page
    .getByRole('status')
    .filter({ hasText: 'Joining PLAN-360 with 20.000000 DCT was sent and is still being checked.' })
  await expect(told).toBeVisible()
  await expect(told.getByRole('link')).toHaveAttribute('href', new RegExp(`${hash}$`))
  await expect(overlay(desk.page)).toHaveCount(0)
  await product.settle()
  await desk.page.unrouteAll({ behavior: 'wait' })
  await expect(told).toHaveCount(0)
  await expect(desk.page.getByRole('article', { name: 'PLAN-360' }).first()).toContainText('Active')
})
