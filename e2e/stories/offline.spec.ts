import { joined } from '../support/scenes.ts'
import { claimCard, feeCard, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** What the browser logs for any request made while offline. */
const tolerates = /ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch/

test('a claim that was refused without a connection was not made, and is made once the connection is back', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(6)
  const { page } = await visit({ as: holder, path: '/dashboard?tab=claim', tolerates })
  await untilLoaded(page)
  await claimCard(page, 'PLAN-720').getByRole('button', { name: 'Claim Half' }).click()
  await page.context().setOffline(true)
  const banner = page.getByText('Nothing can be sent until you are online again.')
  await expect(banner).toBeVisible()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true })
  await confirm.click()
  await expect(page.getByText('You are offline. This request was not sent.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(banner).toBeHidden()
  expect(await holder.pendingFees()).toEqual([])
  await confirm.click()
  await expect(toast(page, /^HALF Reward successfully claimed!/)).toBeVisible()
  await expect(feeCard(page, 'PLAN-720')).toBeVisible()
  expect(await holder.pendingFees()).toHaveLength(1)
})
