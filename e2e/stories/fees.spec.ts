import { FAILED_CALLS } from '../support/provoke.ts'
import { withOpenFee } from '../support/scenes.ts'
import { feeCard, openPayDialog, overlay, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PLAN = 'PLAN-720'
const PAY = '/api/user/pay-claim-fee'

test('[FEE-14, FEE-19] [T057] a payment that is too small is refused under the overlay with both amounts, and the fee stays open', async ({
  visit,
  product,
}) => {
  const { holder, fee } = await withOpenFee(product)
  const { page } = await visit({ as: holder, path: '/dashboard', tolerates: FAILED_CALLS })
  const sent = await holder.payUsdt('0.1')
  await product.settle()
  const { hash, submit } = await openPayDialog(page, PLAN)
  await page.route(
    (url) => url.pathname === PAY,
    async (route) => {
      await expect(overlay(page).getByRole('button', { name: 'Close', exact: true })).toBeVisible()
      await route.continue()
    },
  )
  await hash.fill(sent)
  await submit.click()
  const refusal = toast(
    page,
    new RegExp(`0\\.1.*${fee.unpaid_fee_usdt.replace('.', String.raw`\.`)}`),
  )
  await expect(refusal).toBeVisible()
  const [still] = await holder.pendingFees()
  expect(still).toMatchObject({ code_claim: fee.code_claim, is_paid: false })
})

test('the pay dialog waits for a payment from any wallet, and follows it to the reward that is sent', async ({
  visit,
  product,
}) => {
  const { holder, fee } = await withOpenFee(product)
  const { page } = await visit({ as: holder, path: '/dashboard' })
  await feeCard(page, PLAN).getByRole('button', { name: 'Pay Now' }).click()
  const dialog = page.getByRole('dialog')
  const way = dialog.getByRole('list', { name: 'Your payment' })
  const current = way.locator('[aria-current="step"]')
  await expect(current).toHaveText('Waiting for your payment')
  const hash = await holder.payUsdt(fee.unpaid_fee_usdt)
  await expect(way.locator(`a[href$="/tx/${hash}"]`)).toBeVisible()
  await product.settle()
  await expect(way).toContainText('0.900000 DCT sent')
  await expect(current).toHaveCount(0)
  await expect(way.getByRole('link')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Understood' }).click()
  await expect(dialog).toHaveCount(0)
})
