import type { OutsideHolder } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
import {
  claimDialog,
  payFees,
  REFERRAL_PATHS,
  referralCodeOf,
  setPercentage,
  summaryCard,
} from '../support/referrals.ts'
import { registerByClicking } from '../support/register.ts'
import { fact, part, shownDate, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet } from '../support/wallet.ts'

test('[RCLAIM-02, RCLAIM-03, RCLAIM-04, RCLAIM-10, RCLAIM-12, RCLAIM-13, RCLAIM-14, RCLAIM-15, REF-28, REF-36, REF-38, REF-39, REF-40] a referral, from the link to USDT on BSC', async ({
  visit,
  product,
  admin,
}) => {
  const holder = await product.holder()
  await setPercentage(product, holder, '20')
  const friend = await product.holder({ isRegistered: false })
  const joining = await visit({
    as: friend,
    isSignedIn: false,
    wallet: 'asking',
    path: `/register?ref=${await referralCodeOf(holder)}`,
  })
  await registerByClicking(joining.page, friend)
  await friend.login()
  await payFees(product, [friend])

  const { page, calls } = await visit({ as: holder, wallet: 'asking', path: '/referrals' })
  const downline = part(page, 'My referral').getByRole('table')
  await expect(downline.getByTitle(friend.address)).toBeVisible()
  const direct = summaryCard(page, 'Direct Rewards')
  await expect(fact(direct, 'Total Unclaimed')).toHaveText('0.036000 USDT')
  await expect(fact(summaryCard(page, 'Non-Fee Referral'), 'Total Unclaimed')).toHaveText(
    '0.072000 USDT',
  )

  const target = holder.account.bsc_address
  const received = await holder.usdtBalance()
  const pool = part(page, 'Referral Claim Pool').getByRole('table').locator('tbody')
  for (const claim of [
    {
      button: 'Claim Fee Referral (0.036000 USDT)',
      label: 'Direct',
      type: 'direct bonus',
      amount: '0.036000 USDT',
    },
    {
      button: 'Claim Non-Fee Referral',
      label: 'Non-Direct',
      type: 'non-direct',
      amount: '0.072000 USDT',
    },
  ]) {
    await page.getByRole('button', { name: claim.button, exact: true }).click()
    const { dialog, address, confirm } = claimDialog(page)
    await expect(fact(dialog, 'Amount')).toHaveText(claim.amount)
    await expect(fact(dialog, 'Bonus type')).toHaveText(claim.label)
    await expect(address).toHaveValue('')
    await address.fill(target)
    await confirm.click()
    await approveInWallet(page, 'Sign this message', `Claim ${claim.amount} of my referral`)
    await expect(toast(page, new RegExp(claim.amount))).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: claim.button, exact: true })).toHaveCount(0)
    await expect(pool.getByRole('row').filter({ hasText: claim.type })).toContainText(claim.amount)
    const sent = callsOf(calls, 'POST', REFERRAL_PATHS.save).at(-1)?.body
    expect(sent).toMatchObject({ type: claim.type, usdt_address: target })
  }
  await expect(fact(direct, 'Total Claimed')).toHaveText('0.036000 USDT')

  const row = pool.getByRole('row').filter({ hasText: 'direct bonus' })
  await expect(row.getByText('Not processed yet', { exact: true })).toHaveCount(2)
  await expect(row).toContainText('Waiting for approval by an admin.')
  await expect(row.getByTitle(target)).toHaveAttribute('href', new RegExp(`/address/${target}$`))

  // The approval happens on another day than the claims.
  await product.advance(1)
  for (const { id } of await claimsOf(holder)) {
    await admin.call('PUT', '/api/admin/referral-claim-approval', { id })
  }
  await product.settle()
  await page.reload()
  const [first] = await claimsOf(holder)
  expect(first?.tx_hash_usdt).toMatch(/^0x[0-9a-f]{64}$/)
  await expect(row.getByTitle(first?.tx_hash_usdt ?? '')).toHaveAttribute(
    'href',
    new RegExp(`/tx/${first?.tx_hash_usdt}$`),
  )
  await expect(row.getByText('Not processed yet')).toHaveCount(0)
  await expect(row.locator('td')).toHaveText([
    ...[/^direct bonus/, '0.036000 USDT', shownDate(first?.last_claim_date ?? '')],
    ...[shownDate(first?.approve_at ?? ''), /^0x/, /^0x/],
  ])
  await expect(row).toContainText('Paid.')
  expect((await holder.usdtBalance()) - received).toBe(108_000_000_000_000_000n)
})

type PoolClaim = Record<'id' | 'last_claim_date', string> &
  Record<'approve_at' | 'tx_hash_usdt', string | null>

async function claimsOf(holder: OutsideHolder): Promise<PoolClaim[]> {
  const reply = await holder.call<{ referral_claim_pool: PoolClaim[] }>(
    'GET',
    REFERRAL_PATHS.claims,
  )
  return reply.referral_claim_pool
}
