import { claimed, joined } from '../support/scenes.ts'
import {
  earningCard,
  fact,
  feeCard,
  feesPanel,
  fillJoin,
  pressJoin,
  tab,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** Short enough to end during the test. */
const SHORT = { code: 'TREND', durationDays: 41 }

test('after a plan has ended nothing more is promised, and another one can be joined', async ({
  visit,
  product,
}) => {
  await product.createPlan({
    ...SHORT,
    totalReward: '1000',
    totalPercentage: '41',
    dailyLimit: '500',
  })
  const holder = await product.holder()
  await joined(product, holder, { plan: SHORT })
  await product.advance(40)

  const running = await visit({ as: holder, path: '/dashboard' })
  const unclaimed = earningCard(running.page, SHORT.code)
  await expect(fact(unclaimed, 'Claim count')).toHaveText('40 / 30')
  await expect(unclaimed).toContainText('10 more than the 30 after which an earning freezes')
  await expect(tab(running.page, 'Claim Reward')).toBeVisible()
  await expect(tab(running.page, 'Join Earning Plan')).toBeHidden()

  await claimed(product, holder, { plan: SHORT, type: 'FULL' })
  await running.page.reload()
  await expect(unclaimed).toContainText('Rewards are still credited.')
  await product.advance(5)
  await product.settle()

  const { page } = await visit({ as: holder, path: '/dashboard' })
  const card = earningCard(page, SHORT.code)
  await expect(card).toContainText('Frozen until the fee of your last claim is paid.')
  await expect(card).not.toContainText('Rewards are still credited.')
  // The plan code could be the beginning of an address, but must still be found.
  // One fee alone needs no search box, but an address can contain a search.
  await page.goto('/dashboard?fees.search=nothing')
  const searchBox = feesPanel(page).getByRole('searchbox')
  for (const search of ['TREND', 'TRE', holder.address.slice(-5)]) {
    await searchBox.fill('nothing of this name')
    await expect(feesPanel(page).getByText('No open fee matches the search.')).toBeVisible()
    await searchBox.fill(search)
    await expect(feeCard(page, SHORT.code)).toBeVisible()
  }

  await expect(tab(page, 'Join Earning Plan')).toBeHidden()
  await card.getByRole('link', { name: 'Join another plan' }).click()
  await expect(tab(page, 'Join Earning Plan')).toHaveAttribute('aria-selected', 'true')
  await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
  await pressJoin(page)
  await expect(earningCard(page, 'PLAN-360')).toBeVisible({ timeout: 30_000 })
  await expect(tab(page, 'Join Earning Plan')).toBeHidden()
})
