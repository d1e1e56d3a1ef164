import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { answer } from '../support/provoke.ts'
import { payFees, referralCodeOf, registered } from '../support/referrals.ts'
import { part, sidewaysOverflow } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const TREE = '/api/user/referral-tree'

let top: OutsideHolder
let below: OutsideHolder
test.beforeAll(async ({ product }) => {
  top = await product.holder()
  const code = await referralCodeOf(top)
  below = await product.holder({ referrerCode: code })
  await registered(product, code)
  await registered(product, await referralCodeOf(below))
  await payFees(product, [below])
})

const picture = (page: Page) => page.getByRole('img', { name: /^Picture of your downline/ })

async function showPicture(page: Page) {
  await part(page, 'My referral').getByRole('tab', { name: 'Picture', exact: true }).click()
  await expect(picture(page)).toBeVisible()
}

test('the tree shows the downline level by level, earnings over time add up to what was earned, and the link can be copied and is available as a QR code', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ as: top, path: '/referrals' })
  await showPicture(page)
  await expect(picture(page)).toHaveAccessibleName(
    'Picture of your downline: 3 people, drawn on 2 levels.',
  )
  await expect(picture(page).locator('circle')).toHaveCount(4)
  await expect(picture(page).locator('line')).toHaveCount(3)
  const levels = part(page, 'My referral').getByRole('listitem')
  await expect(levels).toHaveText(['You', 'Level 1: 2', 'Level 2: 1'])
  const who = `${below.address}, level 1, direct referrals: 1`
  await expect(picture(page).locator('title', { hasText: who })).toHaveCount(1)

  const rewards = part(page, 'Referral Rewards')
  await rewards.getByRole('tab', { name: 'Over time', exact: true }).click()
  for (const span of ['30 days', '12 months']) {
    const button = rewards.getByRole('button', { name: span, exact: true })
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    await expect(rewards).toContainText('Earned in this period: 0.036000 USDT')
    const figures = rewards.locator('tbody tr')
    await expect(figures).toHaveCount(span === '30 days' ? 30 : 12)
    await expect(figures.filter({ hasText: '0.036000' })).toHaveCount(1)
  }

  const link = `${product.url}/register?ref=${await referralCodeOf(top)}`
  const own = page.getByRole('region', { name: 'Your referral link' })
  await expect(own).toContainText(link)
  await own.getByRole('button', { name: 'Copy Link', exact: true }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await own.getByRole('button', { name: 'Show QR code', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your referral link' })
  await expect(dialog.getByRole('img', { name: `QR code of ${link}` })).toBeVisible()
})

test('only part of a large downline is drawn, and the tree fits a phone', async ({ visit }) => {
  const node = (level: number, parent: number | null, name: string) => ({
    ...{ level, parent, tron_address: name },
    total_referrals: 40_000,
  })
  const wide = Array.from({ length: 12 }, (_, at) => node(1, null, `wide ${at}`))
  const deep = Array.from({ length: 7 }, (_, at) => node(at + 2, 11 + at, `deep ${at}`))
  const { page } = await visit({
    as: top,
    path: '/referrals',
    context: { viewport: { width: 360, height: 740 } },
    before: (fresh) =>
      answer(fresh, TREE, {
        total_downline: 1_000_000,
        levels: [{ level: 1, members: 333_333 }],
        deeper: 666_667,
        nodes: [...wide, ...deep],
      }),
  })
  await showPicture(page)
  const levels = part(page, 'My referral').getByRole('listitem')
  await expect(levels).toHaveText([
    'You',
    'Level 1: 333,333 (12 drawn)',
    'Level 2 and deeper: 666,667',
  ])
  await expect(picture(page).locator('circle')).toHaveCount(20)
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
})

test('the tree also shows a message for a user without referrals', async ({ visit, product }) => {
  const newcomer = await product.holder()
  const { page } = await visit({ as: newcomer, path: '/referrals' })
  await part(page, 'My referral').getByRole('tab', { name: 'Picture', exact: true }).click()
  await expect(page.getByText('No referrals have been registered.', { exact: true })).toBeVisible()
})
