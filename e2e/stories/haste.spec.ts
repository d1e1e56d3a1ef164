import type { Locator } from '@playwright/test'
import { type Call, callsOf } from '../support/calls.ts'
import { joined, PLAN_360 } from '../support/scenes.ts'
import { claimCard, feeCard, joinForm, joinReview, overlay, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** Clicks five times before the page can render anything, and five times right after. */
async function hammer(button: Locator): Promise<void> {
  await expect(button).toBeEnabled()
  await button.evaluate((element: HTMLElement) => {
    for (let click = 0; click < 5; click += 1) element.click()
    for (let click = 1; click <= 5; click += 1) setTimeout(() => element.click(), click * 10)
  })
}
const sent = (calls: readonly Call[], path: string) => callsOf(calls, 'POST', path)

test('[T099] rapid clicks on Join send one lock', async ({ visit, product }) => {
  const holder = await product.holder()
  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=join' })
  const form = joinForm(page)
  await form.plan.selectOption('PLAN-360')
  await form.amount.fill('10')
  await hammer(form.join)
  await hammer(joinReview(page).confirm)
  await expect(toast(page, 'You joined PLAN-360: 10 DCT are locked.')).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)
  await product.settle()
  expect(sent(calls, '/tron/wallet/broadcasttransaction')).toHaveLength(2)
  expect(sent(calls, '/api/user/earnings')).toHaveLength(1)
  const { earnings } = await holder.call<{ earnings: object[] }>('GET', '/api/user/earnings')
  expect(earnings).toHaveLength(1)
})

test('[T099] rapid confirmations of a claim make one claim', async ({ visit, product }) => {
  const holder = await product.holder()
  await joined(product, holder, { plan: PLAN_360, amount: '50' })
  await product.advance(8)
  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=claim' })
  await claimCard(page, 'PLAN-360').getByRole('button', { name: 'Claim Half', exact: true }).click()
  await hammer(page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }))
  await expect(feeCard(page, 'PLAN-360')).toBeVisible()
  expect(sent(calls, '/api/user/claim')).toHaveLength(1)
  expect(await holder.pendingFees()).toHaveLength(1)
})
