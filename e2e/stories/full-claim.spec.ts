import { callsOf } from '../support/calls.ts'
import { dct } from '../support/dct.ts'
import { joined } from '../support/scenes.ts'
import {
  claimCard,
  earningCard,
  fact,
  feeCard,
  paidFees,
  tab,
  textOf,
  toast,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PLAN = 'PLAN-720'

test('[STATE-10, STATE-13, STATE-14, STATE-17, CLAIM-06, CLAIM-10, CONST-08] a FULL claim: everything is sent after a payment that was found automatically', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(6)
  const before = await holder.dctBalance()

  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=claim' })
  await claimCard(page, PLAN).getByRole('button', { name: 'Claim Full' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, /^FULL Reward successfully claimed! TX: RW-/)).toBeVisible()
  const [claim] = callsOf(calls, 'POST', '/api/user/claim')
  expect(claim?.body).toMatchObject({ earning_plan_code: PLAN, claim_type: 'FULL' })

  const due = fact(feeCard(page, PLAN), 'Fee (USDT)')
  await expect(due).toHaveText(/^0\.46\d{4} USDT$/)
  await product.settle()
  expect(await holder.dctBalance(), 'nothing is sent before the fee is paid').toBe(before)
  await tab(page, 'My Earnings').click()
  await expect(earningCard(page, PLAN)).toContainText('Freeze')

  const hash = await holder.payUsdt((await textOf(due)).replace(' USDT', ''))
  await expect(toast(page, 'Fee successfully paid and recorded!')).toBeVisible()
  const row = paidFees(page).filter({ hasText: PLAN })
  await expect(row.locator(`a[href$="/tx/${hash}"]`)).toBeVisible()
  await expect(row.getByText('Done', { exact: true })).toBeVisible()
  await expect(earningCard(page, PLAN)).toContainText('Active')
  expect(dct((await holder.dctBalance()) - before)).toBe('0.900000')
  expect(callsOf(calls, 'POST', '/api/user/pay-claim-fee')).toEqual([])
})

test('[STATE-14, CLAIM-06] a fee that was paid and forgotten is not asked again when its claim is made again', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(6)
  const { page } = await visit({ as: holder, path: '/dashboard?tab=claim' })
  const claim = async () => {
    await claimCard(page, PLAN).getByRole('button', { name: 'Claim Full' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  }
  const due = fact(feeCard(page, PLAN), 'Fee (USDT)')
  await claim()
  await holder.payUsdt((await textOf(due)).replace(' USDT', ''))
  await expect(toast(page, 'Fee successfully paid and recorded!')).toBeVisible()

  // The claim of these days was lost; its fee is on chain. Six more days pass before its holder claims again.
  await product.advance(6)
  await holder.payUsdt('0.464321')
  await product.settle()
  await product.advance(6)
  await claim()
  const told =
    'You had already paid 0.464321 USDT for 0.900000 DCT of it: they are sent without another fee.'
  await expect(toast(page, told)).toBeVisible()
  await expect(due).toHaveText(/^0\.46\d{4} USDT$/)
  await expect(paidFees(page).filter({ hasText: PLAN })).toHaveCount(2)
})
