import { FAILED_CALLS } from '../support/provoke.ts'
import { withOpenFee } from '../support/scenes.ts'
import { openPayDialog, overlay, toast } from '../support/screens.ts'
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
      await expect(overlay(page)).toBeVisible()
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
