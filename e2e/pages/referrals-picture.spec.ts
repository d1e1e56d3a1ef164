import type { ReferralEarningsReply, ReferralTreeReply } from '@dct/api-contract/referrals'
import type { Page } from '@playwright/test'
import { part, sidewaysOverflow } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const TREE = 'GET /api/user/referral-tree'
const EARNINGS = 'GET /api/user/referral-earnings'
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** The address of one of many people. */
const person = (at: number) => `T${(ALPHABET[at] ?? '').repeat(33)}`
const BELOW = person(1)

const picture = (page: Page) => page.getByRole('img', { name: /^Picture of your downline/ })

async function showPicture(page: Page) {
  await part(page, 'My referral').getByRole('tab', { name: 'Picture', exact: true }).click()
  await expect(picture(page)).toBeVisible()
}

test('the tree shows the downline level by level, earnings over time add up to what was earned, and the link can be copied and is available as a QR code', async ({
  visit,
  world,
}) => {
  const node = (level: number, parent: number | null, tron_address: string) => ({
    ...{ level, parent, tron_address, total_referrals: tron_address === BELOW ? 1 : 0 },
  })
  world.answer(TREE, {
    ...{ total_downline: 3, deeper: 0 },
    levels: [
      { level: 1, members: 2 },
      { level: 2, members: 1 },
    ],
    nodes: [node(1, null, BELOW), node(1, null, person(2)), node(2, 0, person(3))],
  } satisfies ReferralTreeReply)
  world.answer(EARNINGS, ({ query }) => {
    const by = query.by === 'month' ? 'month' : 'day'
    const starts = Array.from({ length: by === 'day' ? 30 : 12 }, (_, at) =>
      new Date(by === 'day' ? Date.UTC(2026, 10, 11 + at) : Date.UTC(2026, at, 1))
        .toISOString()
        .slice(0, 10),
    )
    const periods = starts.map((start, at) => ({
      ...{ start, direct: at === starts.length - 1 ? '0.036000' : '0.000000' },
      indirect: '0.000000',
    }))
    return { by, periods } satisfies ReferralEarningsReply
  })
  const { page } = await visit({ as: 'user', path: '/referrals' })
  await showPicture(page)
  await expect(picture(page)).toHaveAccessibleName(
    'Picture of your downline: 3 people, drawn on 2 levels.',
  )
  await expect(picture(page).locator('circle')).toHaveCount(4)
  await expect(picture(page).locator('line')).toHaveCount(3)
  const levels = part(page, 'My referral').getByRole('listitem')
  await expect(levels).toHaveText(['You', 'Level 1: 2', 'Level 2: 1'])
  const who = `${BELOW}, level 1, direct referrals: 1`
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

  const own = page.getByRole('region', { name: 'Your referral link' })
  const link = await own.getByText(/\/register\?ref=/).innerText()
  await own.getByRole('button', { name: 'Copy Link', exact: true }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await own.getByRole('button', { name: 'Show QR code', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your referral link' })
  await expect(dialog.getByRole('img', { name: `QR code of ${link}` })).toBeVisible()
})

test('only part of a large downline is drawn, and the tree fits a phone', async ({
  visit,
  world,
}) => {
  const node = (level: number, parent: number | null, name: string) => ({
    ...{ level, parent, tron_address: name },
    total_referrals: 40_000,
  })
  const wide = Array.from({ length: 12 }, (_, at) => node(1, null, person(at)))
  const deep = Array.from({ length: 7 }, (_, at) => node(at + 2, 11 + at, person(12 + at)))
  world.answer(TREE, {
    ...{ total_downline: 1_000_000, levels: [{ level: 1, members: 333_333 }], deeper: 666_667 },
    nodes: [...wide, ...deep],
  } satisfies ReferralTreeReply)
  const viewport = { width: 360, height: 740 }
  const { page } = await visit({ as: 'user', path: '/referrals', viewport })
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

test('the tree also shows a message for a user without referrals', async ({ visit, world }) => {
  world.answer(TREE, { total_downline: 0, levels: [], deeper: 0, nodes: [] })
  const { page } = await visit({ as: 'user', path: '/referrals' })
  await part(page, 'My referral').getByRole('tab', { name: 'Picture', exact: true }).click()
  await expect(page.getByText('No referrals have been registered.', { exact: true })).toBeVisible()
})
