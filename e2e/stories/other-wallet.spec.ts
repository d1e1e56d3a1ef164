import { callsOf } from '../support/calls.ts'
import { fillJoin, joinForm, pressJoin, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { closePanel, openPanel } from '../support/wallet.ts'

test('[T098] after the wallet switches to another account, the page shows a message and sends nothing for the wrong user', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=join' })
  const form = joinForm(page)
  await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
  await expect(page.getByText('but you are logged in as')).toHaveCount(0)

  const panel = await openPanel(page)
  const accounts = panel.getByRole('combobox', { name: 'Account' })
  await accounts.selectOption({ index: 1 })
  await closePanel(panel)
  await expect(page.getByText('but you are logged in as').first()).toBeVisible()
  await form.join.click()
  await expect(toast(page, /Switch the account in the wallet first/)).toBeVisible()
  expect(callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction')).toEqual([])
  expect(callsOf(calls, 'POST', '/api/user/earning-plans/PLAN-360/reserve')).toEqual([])

  const again = await openPanel(page)
  await again.getByRole('combobox', { name: 'Account' }).selectOption(holder.address)
  await closePanel(again)
  await expect(page.getByText('but you are logged in as')).toHaveCount(0)
  await pressJoin(page)
  await expect(toast(page, 'You joined PLAN-360: 10 DCT are locked.')).toBeVisible()
})
