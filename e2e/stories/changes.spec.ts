import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { Call } from '../support/calls.ts'
import { claimed, joined, openFee } from '../support/scenes.ts'
import { feeCard, paidFees, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const CHANGES = '/api/user/changes'
const MINUTE_MS = 60_000

let holder: OutsideHolder

test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  await joined(product, holder)
  await product.advance(6)
})

const addresses = (calls: readonly Call[]) => calls.map(({ path }) => path.split('?')[0])
/** Calls to the service; a page also reads balances from the chain's nodes. */
const toService = (calls: readonly Call[]) => calls.filter(({ path }) => path.startsWith('/api/'))

async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', {
      value: visibilityState,
      configurable: true,
    })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

test('changes made on another device or on the chains appear automatically', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ as: holder, path: '/dashboard' })
  await untilLoaded(page)
  await expect(feeCard(page, 'PLAN-720')).toHaveCount(0)
  await claimed(product, holder, { type: 'FULL' })
  await expect(feeCard(page, 'PLAN-720')).toBeVisible({ timeout: 20_000 })

  // A payment is announced to the open poll, so the page does not wait for the next one.
  const fee = await openFee(holder, 'PLAN-720')
  await holder.payUsdt(fee.unpaid_fee_usdt)
  await product.settle()
  await expect(paidFees(page)).toHaveCount(1)
  await expect(feeCard(page, 'PLAN-720')).toHaveCount(0)
})

test('a hidden page does not poll, and one that is shown again polls immediately', async ({
  visit,
  product,
}) => {
  const other = await product.holder()
  await joined(product, other)
  const { page, calls } = await visit({
    ...{ as: other, path: '/dashboard', wallet: 'absent' },
    before: (fresh) => fresh.clock.install(),
  })
  await untilLoaded(page)
  const answered = page.waitForResponse((response) => response.url().includes(CHANGES))
  await setVisibility(page, 'hidden')
  await answered
  const before = toService(calls).length
  await page.clock.runFor(MINUTE_MS)
  expect(toService(calls)).toHaveLength(before)
  await product.advance(6)
  await claimed(product, other, { type: 'FULL' })
  await setVisibility(page, 'visible')
  await expect(feeCard(page, 'PLAN-720')).toBeVisible()
  expect(addresses(toService(calls).slice(before))).toContain(CHANGES)
})
