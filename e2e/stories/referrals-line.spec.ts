import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { runAudit } from '../support/audit.ts'
import type { Visit } from '../support/open-visit.ts'
import { claimDialog, payFees, setPercentage, summaryCard } from '../support/referrals.ts'
import { registerByClicking } from '../support/register.ts'
import { fact, part, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet } from '../support/wallet.ts'

const POOL_PATH = '/admin/referral-claim-pool'
const unclaimed = (page: Page, card: string) => fact(summaryCard(page, card), 'Total Unclaimed')

// The claim queue must contain nobody else.
test.use({ productName: 'referrals-line' })

test('[ROLE-04, RCLAIM-02, RCLAIM-10, APOOL-12, APOOL-19, APOOL-30] from link to payout: A refers B, B refers C, C pays, A claims, an admin approves, USDT arrives', async ({
  visit,
  product,
  admin,
}) => {
  const first = await product.holder()
  await setPercentage(product, first, '20')
  const second = await joinByLink({ visit, product }, first)
  const third = await joinByLink({ visit, product }, second)
  await payFees(product, [third])

  // B is directly above C and gets the direct reward; A gets the reward of its percentage from level 2.
  const middle = await visit({ as: second, path: '/referrals' })
  await expect(unclaimed(middle.page, 'Direct Rewards')).toHaveText('0.036000 USDT')
  await expect(unclaimed(middle.page, 'Non-Fee Referral')).toHaveText('0.000000 USDT')
  const { page } = await visit({ as: first, wallet: 'asking', path: '/referrals' })
  await expect(unclaimed(page, 'Direct Rewards')).toHaveText('0.000000 USDT')
  await expect(unclaimed(page, 'Non-Fee Referral')).toHaveText('0.072000 USDT')
  const reward = part(page, 'Referral Rewards').getByRole('table').locator('tbody tr')
  await expect(reward).toHaveCount(1)
  await reward.getByText('fee earning level 2', { exact: true }).click()
  await expect(reward).toContainText(
    /^(?=.*20\.00%)(?=.*0\.360000 USDT)(?=.*on level 2 of your downline)/,
  )

  const received = await first.usdtBalance()
  const target = first.account.bsc_address
  await page.getByRole('button', { name: 'Claim Non-Fee Referral', exact: true }).click()
  const { dialog, address, confirm } = claimDialog(page)
  await address.fill(target)
  await confirm.click()
  const amounts = '0.072000 USDT with all earlier claims'
  const asked = `${amounts}, to the BSC (BEP20) address ${target}, from the vault`
  await approveInWallet(page, 'Sign this message', asked)
  await expect(dialog).toHaveCount(0)
  const claim = part(page, 'Referral Claim Pool').getByRole('table').locator('tbody tr')
  await expect(claim).toContainText('Waiting for approval by an admin. Position 1 in the queue.')

  await approveByClicking(await visit({ as: admin, path: `${POOL_PATH}?tab=non-direct` }), first)
  await product.settle()
  expect((await first.usdtBalance()) - received).toBe(72_000_000_000_000_000n)
  await page.reload()
  await untilLoaded(page)
  await expect(claim).toContainText('Paid.')
  const hash = claim.locator('a[href*="/tx/0x"]')
  await expect(hash).toHaveAttribute('title', /^0x[0-9a-f]{64}$/)

  const { code, output } = await runAudit(product.stack.dataDir)
  expect(output).toContain(' 0 differences')
  expect(code).toBe(0)
})

type World = Pick<Parameters<Parameters<typeof test>[2]>[0], 'visit' | 'product'>

/** Has a new user open the referral link on another user's page and register. */
async function joinByLink({ visit, product }: World, above: OutsideHolder): Promise<OutsideHolder> {
  const own = await visit({ as: above, path: '/referrals' })
  const link = await own.page
    .getByRole('region', { name: 'Your referral link' })
    .getByText(/\/register\?ref=/)
    .textContent()
  const friend = await product.holder({ isRegistered: false })
  const path = link?.replace(/^https?:\/\/[^/]+/, '') ?? ''
  const joining = await visit({ as: friend, isSignedIn: false, wallet: 'asking', path })
  await registerByClicking(joining.page, friend)
  await friend.login()
  return friend
}

async function approveByClicking({ page }: Visit, claimant: OutsideHolder): Promise<void> {
  const row = page
    .getByRole('table', { name: 'Referral Claim Pool' })
    .locator('tbody tr')
    .filter({ has: page.getByTitle(claimant.address) })
  await row.getByRole('button', { name: 'Approve', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm Approval', exact: true })
  await expect(fact(dialog, 'Amount')).toHaveText('0.072000 USDT')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toast(page, 'The claim is approved. The USDT is being sent.')).toBeVisible()
  await expect(row.getByText('Approved', { exact: true })).toBeVisible()
}
