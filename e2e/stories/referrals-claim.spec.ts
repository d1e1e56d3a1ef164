import { claimReferral, payFees, referralCodeOf, summaryCard } from '../support/referrals.ts'
import { fact } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

test('a pending claim is followed step by step, instead of a button that would be refused, until it is paid', async ({
  visit,
  product,
  admin,
}) => {
  const claimant = await product.holder()
  const code = await referralCodeOf(claimant)
  await payFees(product, [await product.holder({ referrerCode: code })])
  await claimReferral(claimant, 'direct bonus')
  await payFees(product, [await product.holder({ referrerCode: code })])

  const { page } = await visit({ as: claimant, wallet: 'absent', path: '/referrals' })
  const direct = page.getByRole('button', { name: /^Claim Fee Referral/ })
  const card = summaryCard(page, 'Direct Rewards')
  await expect(fact(card, 'Total Unclaimed')).toHaveText('0.036000 USDT')
  const steps = page.getByRole('list', { name: /^Claim of / }).getByRole('listitem')
  await expect(steps.first()).toHaveText(/0\.036000 USDT claimed/)
  await expect(steps.and(page.locator('[aria-current="step"]'))).toHaveText('An admin approves it')
  await expect(page.getByText('You can leave this page: it goes on by itself.')).toBeVisible()
  await expect(direct).toHaveCount(0)

  const { claim_pool } = await admin.call<{ claim_pool: { id: string; tron_address: string }[] }>(
    'GET',
    `/api/admin/referral-claim-pool?search=${claimant.address}`,
  )
  await admin.call('PUT', '/api/admin/referral-claim-approval', { id: claim_pool[0]?.id })
  await product.settle()
  await expect(steps.last()).toContainText('0.036000 USDT has arrived')
  await expect(steps.nth(2).getByRole('link')).toHaveAttribute('href', /\/tx\/0x[0-9a-f]{64}$/)
  await expect(direct).toBeVisible()
})
