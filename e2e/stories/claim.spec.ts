import { callsOf } from '../support/calls.ts'
import { joined } from '../support/scenes.ts'
import { claimCard, fact, feeCard, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

test('[CLAIM-01, CLAIM-03, CLAIM-04, CLAIM-06, CLAIM-07, CLAIM-09, CLAIM-10, CLAIM-11] a lock can be claimed from 0.6 DCT on, and then has an open fee', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  await joined(product, holder)
  const { page, calls } = await visit({
    ...{ as: holder, wallet: 'absent', path: '/dashboard?tab=claim' },
  })
  await expect(page.getByText('No reward can be claimable', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Claim (Full|Half)$/ })).toHaveCount(0)
  await product.advance(4)
  await page.reload()
  const card = claimCard(page, 'PLAN-720')
  await expect(fact(card, 'Total claimable')).toHaveText('0.600000 DCT')
  await expect(fact(card, 'Estimated fee')).toHaveText('0.350000 USDT')
  await card.getByRole('button', { name: 'Claim Half', exact: true }).click()
  const reply = page.waitForResponse((response) => response.url().endsWith('/api/user/claim'))
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  const { data } = await (await reply).json()
  await expect(
    toast(page, `HALF Reward successfully claimed! TX: ${data.transaction_hash}`),
  ).toBeVisible()
  expect(callsOf(calls, 'POST', '/api/user/claim')).toHaveLength(1)
  await expect(card).toHaveCount(0)
  await expect(feeCard(page, 'PLAN-720')).toBeVisible()
  expect(await holder.pendingFees()).toHaveLength(1)
})
