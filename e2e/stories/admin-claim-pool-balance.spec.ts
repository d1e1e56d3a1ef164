import type { Page } from '@playwright/test'
import { parseUnits } from 'viem'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
import { emptyPayoutWallet, type PayoutWallet } from '../support/payout-wallet.ts'
import { claimReferral, payFees, referralCodeOf } from '../support/referrals.ts'
import { fact, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// The owner empties the payout wallet, which would stop the payouts of other stories.
test.use({ productName: 'emptied payout wallet' })

const POOL = '/api/admin/referral-claim-pool'
const APPROVAL = '/api/admin/referral-claim-approval'
const TOO_LOW = '❌ Gagal: Saldo USDT admin tidak mencukupi untuk klaim ini'
/** A tenth of a fee of 0.36 USDT. */
const CLAIMED = '0.036000'
const usdt = (amount: string) => parseUnits(amount, 18)

let earner: OutsideHolder
let wallet: PayoutWallet
test.beforeAll(async ({ product }) => {
  earner = await product.holder({ email: 'earner@example.org' })
  await payFees(product, [await product.holder({ referrerCode: await referralCodeOf(earner) })])
  await claimReferral(earner, 'direct bonus')
  wallet = await emptyPayoutWallet(product, await product.holder())
  await wallet.leaveUsdt(usdt(CLAIMED) - 1n)
})

const balance = (page: Page) => fact(page.getByRole('main'), 'Admin USDT balance').first()
const row = (page: Page) =>
  page.getByRole('table', { name: 'Referral Claim Pool' }).locator('tbody tr').first()

/** Confirms the approval of the claim in its dialog. */
async function approve(page: Page) {
  await row(page).getByRole('button', { name: 'Approve', exact: true }).click()
  const modal = page.getByRole('dialog', { name: 'Confirm Approval', exact: true })
  await modal.getByRole('button', { name: 'Confirm', exact: true }).click()
}

test('[APOOL-23, APOOL-24] a balance that is one unit too low blocks the approval', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({ as: admin, path: '/admin/referral-claim-pool' })
  await expect(row(page)).toContainText(`${CLAIMED} USDT`)
  await expect(balance(page)).toHaveText('0.035999 USDT')
  await approve(page)
  await expect(toast(page, TOO_LOW)).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toEqual([])
})

test('[APOOL-23, APOOL-26, APOOL-27] a balance equal to the claim is enough; approved, unpaid claims are deducted from the balance, down to 0', async ({
  visit,
  admin,
  product,
}) => {
  const { payout_address: address } = product.info.bsc
  await earner.payUsdt('0.000000000000000001', address)
  await product.settle() // the service compares the claim with the final balance
  expect(await wallet.usdt()).toBe(usdt(CLAIMED))
  const { page, calls } = await visit({ as: admin, path: '/admin/referral-claim-pool' })
  await expect(balance(page)).toHaveText(`${CLAIMED} USDT`)
  await approve(page)
  await expect(row(page).getByText('Approved', { exact: true })).toBeVisible()
  expect(callsOf(calls, 'PUT', APPROVAL)).toHaveLength(1)
  await expect(balance(page)).toHaveText('0.000000 USDT')

  await product.settle()
  const { approved_unpaid: unpaid } = await admin.call<{ approved_unpaid: string }>('GET', POOL)
  expect(unpaid).toBe(CLAIMED)
  await earner.payUsdt('3.5', address)
  await page.reload()
  await expect(balance(page)).toHaveText('3.500000 USDT')

  await wallet.leaveUsdt(usdt('0.02'))
  await page.reload()
  await expect(row(page)).toContainText(`${CLAIMED} USDT`)
  await expect(page.getByRole('main')).toContainText('0.020000')
  await expect(balance(page)).toHaveText('0.000000 USDT')
})
