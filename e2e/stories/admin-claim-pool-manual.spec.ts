import type { Page } from '@playwright/test'
import { newAccount, OutsideHolder } from '../outside/outside-client.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { runAudit } from '../support/audit.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import {
  claimReferral,
  payFees,
  REFERRAL_PATHS,
  referralCodeOf,
  summaryCard,
} from '../support/referrals.ts'
import { fact, part, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const POOL_PATH = '/admin/referral-claim-pool'

// Admins pay approved claims manually.
test.use({ productEnv: { REFERRAL_PAYOUTS: 'manual' } })

let earner: OutsideHolder
test.beforeAll(async ({ product }) => {
  earner = await product.holder({ email: 'earner@example.org' })
  await payFees(product, [await product.holder({ referrerCode: await referralCodeOf(earner) })])
  await claimReferral(earner, 'direct bonus')
})

/** The newest claim. */
const row = (page: Page) =>
  page.getByRole('table', { name: 'Referral Claim Pool' }).locator('tbody tr').first()
const act = (page: Page, name: string) => row(page).getByRole('button', { name, exact: true })
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test('an admin declines a claim with a reason, which the claimant reads', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: POOL_PATH })
  await act(page, 'Decline').click()
  const dialog = dialogOf(page, 'Decline claim')
  const confirm = dialog.getByRole('button', { name: 'Decline', exact: true })
  await expect(confirm).toBeDisabled()
  await dialog.getByLabel('Reason').fill('Please use an address of your own')
  await expectAccessible(page, 'decline')
  await confirm.click()
  await expect(toast(page, /^The claim has been declined/)).toBeVisible()
  await expect(row(page)).toContainText('Please use an address of your own')
  await expect(act(page, 'Approve')).toHaveCount(0)

  const seen = await visit({ as: earner, path: '/referrals' })
  await expect(part(seen.page, 'Referral Claim Pool')).toContainText(
    'Declined. The amount can be claimed again. Reason: Please use an address of your own',
  )
  const card = summaryCard(seen.page, 'Direct Rewards')
  await expect(fact(card, 'Total Unclaimed')).toHaveText('0.036000 USDT')
})

test('an approved claim that was not paid is returned', async ({ visit, admin }) => {
  await claimReferral(earner, 'direct bonus')
  const { page } = await visit({ as: admin, path: POOL_PATH })
  await approve(page)
  await act(page, 'Return amount').click()
  const dialog = dialogOf(page, 'Return amount')
  await dialog.getByLabel('Reason').fill('The wallet is empty')
  await dialog.getByRole('button', { name: 'Return amount', exact: true }).click()
  await expect(toast(page, /^The payout has been ended/)).toBeVisible()
  await expect(row(page)).toContainText('Returned')
  const { referral_summary: summary } = await earner.call<{
    referral_summary: Record<string, string>
  }>('GET', REFERRAL_PATHS.summary)
  expect(summary.total_direct_unclaimed).toBe('0.036000')
})

test('an admin pays from a wallet of their own; the hash is verified, and the claim is paid once', async ({
  visit,
  admin,
  product,
}) => {
  await claimReferral(earner, 'direct bonus')
  const { page } = await visit({ as: admin, path: POOL_PATH, tolerates: FAILED_CALLS })
  await expect(page.getByText(/^Payouts are manual/)).toBeVisible()
  await approve(page)
  // Nothing is sent automatically.
  const before = await earner.usdtBalance()
  await product.settle()
  expect(await earner.usdtBalance()).toBe(before)

  const purse = new OutsideHolder({ base: product.url, info: product.info, account: newAccount() })
  await product.give(purse.account, { usdt: '5', bnb: '1' })
  const target = earner.account.bsc_address
  const wrong = await purse.payUsdt('0.035', target)
  const right = await purse.payUsdt('0.036', target)
  await product.settle()
  await act(page, 'Enter payment').click()
  const dialog = dialogOf(page, 'Pay manually on BSC (BEP20)')
  await expect(fact(dialog, 'Amount')).toHaveText('0.036000 USDT')
  await expect(dialog.getByText(target, { exact: false }).first()).toBeVisible()
  await expectAccessible(page, 'pay manually')
  const hash = dialog.getByLabel('BSC transaction hash')
  const confirm = dialog.getByRole('button', { name: 'Confirm', exact: true })
  await hash.fill(wrong)
  await confirm.click()
  await expect(
    toast(page, 'This transaction sent 0.035000 USDT; the claim is exactly 0.036000 USDT.'),
  ).toBeVisible()
  await hash.fill(right)
  await confirm.click()
  await expect(toast(page, 'The payment has been verified and the claim is paid.')).toBeVisible()
  await expect(row(page).getByTitle(right)).toBeVisible()
  await expect(act(page, 'Enter payment')).toHaveCount(0)
  await expect(act(page, 'Return amount')).toHaveCount(0)

  const seen = await visit({ as: earner, path: '/referrals?claims.order=desc' })
  await expect(part(seen.page, 'Referral Claim Pool').getByTitle(right)).toBeVisible()
  await product.settle()
  await page.goto(`/admin/operations?tab=payouts&out-search=${right}`)
  const payout = page.getByRole('table', { name: 'Payouts', exact: true }).locator('tbody tr')
  await expect(payout).toHaveCount(1)
  await expect(payout.getByText('Manual', { exact: true })).toBeVisible()
  const { code, output } = await runAudit(product.stack.dataDir)
  expect(output).toContain(' 0 differences')
  expect(code).toBe(0)
})

async function approve(page: Page) {
  await act(page, 'Approve').click()
  const dialog = dialogOf(page, 'Confirm Approval')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toast(page, /^The claim is approved. Pay it from your wallet/)).toBeVisible()
  await expect(dialog).toHaveCount(0)
}
