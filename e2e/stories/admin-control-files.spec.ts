import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { breakDown, FAILED_CALLS } from '../support/provoke.ts'
import { claimReferral, referralCodeOf } from '../support/referrals.ts'
import { claimed, joined, PLAN_360, paid } from '../support/scenes.ts'
import { tab, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** Two holders with rewards; the first has claimed, and refers the second. */
let first: OutsideHolder
let second: OutsideHolder
test.beforeAll(async ({ product }) => {
  first = await product.holder({ email: '+first@example.org' })
  second = await product.holder({ referrerCode: await referralCodeOf(first) })
  const plan = PLAN_360
  for (const holder of [first, second]) await joined(product, holder, { plan })
  await product.advance(12)
  await claimed(product, first, { plan, type: 'FULL' })
  await paid(product, second, await claimed(product, second, { plan, type: 'FULL' }))
})

/** Presses the button and reads the file that the browser saves. */
async function save(page: Page, scope: Locator = page.getByRole('main')) {
  const downloading = page.waitForEvent('download')
  await scope.getByRole('button', { name: 'Save as CSV' }).click()
  const download = await downloading
  const text = await readFile(await download.path(), 'utf8')
  const [header = '', ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n')
  return { name: download.suggestedFilename(), columns: header.split(','), lines }
}

const DAY = String.raw`\d{4}-\d{2}-\d{2}`

test('each history is saved completely, with its filters and order', async ({ visit, admin }) => {
  const { page } = await visit({ as: admin, path: '/admin/reward-history' })
  await page.getByRole('searchbox').fill(first.address)
  await expect(page.getByText('Page 1 of 2', { exact: true })).toBeVisible()
  await untilLoaded(page)
  const rewards = await save(page)
  expect(rewards.name).toMatch(new RegExp(`^reward-distribution-${DAY}\\.csv$`))
  expect(rewards.columns.slice(0, 3)).toEqual([
    ...['reward_date', 'earning_plan_code', 'reward_amount'],
  ])
  // The file has more rows than the page, in the page's order: newest first.
  expect(rewards.lines).toHaveLength(12)
  expect(rewards.lines.every((line) => line.includes(first.address))).toBe(true)
  expect(rewards.lines).toEqual(rewards.lines.toSorted().toReversed())

  await page.getByRole('columnheader', { name: 'Date' }).getByRole('button').click()
  await untilLoaded(page)
  const turned = await save(page)
  expect(turned.lines).toEqual(rewards.lines.toReversed())

  await page.getByLabel(/^Plan/).selectOption('PLAN-720')
  await expect(page.getByText('No history found.', { exact: true })).toBeVisible()
  expect((await save(page)).lines).toEqual([])

  await page.goto(`/admin/claim-history?search=${second.address}`)
  await expect(page.getByRole('main').locator('tbody tr')).toHaveCount(1)
  const claims = await save(page)
  expect(claims.name).toMatch(new RegExp(`^claims-${DAY}\\.csv$`))
  expect(claims.lines).toHaveLength(1)
})

test('users, transactions, plans and the lists of a single user or plan are saved', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: admin, path: '/admin/dashboard' })
  await tab(page, 'List of Users').click()
  await page.getByRole('searchbox').fill('+first')
  await expect(page.getByRole('article')).toHaveCount(1)
  const users = await save(page)
  expect(users.name).toMatch(new RegExp(`^users-${DAY}\\.csv$`))
  expect(users.lines).toHaveLength(1)
  // The quote makes spreadsheets treat it as text.
  expect(users.lines[0]).toContain(",'+first@example.org,")

  const card = page.getByRole('article')
  await card.getByRole('button', { name: /^Referrals of / }).click()
  const tree = page.getByRole('dialog', { name: 'User Referrals' })
  await expect(tree.locator('tbody tr')).toHaveCount(1)
  expect((await save(page, tree)).lines).toEqual([expect.stringContaining(second.address)])
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Rewards', exact: true }).click()
  const rewards = page.getByRole('dialog', { name: 'Referral Reward History' })
  await expect(rewards.locator('tbody tr')).toHaveCount(1)
  expect((await save(page, rewards)).lines).toEqual([expect.stringContaining('direct downline')])
  await page.keyboard.press('Escape')

  await tab(page, 'Transaction History').click()
  await page
    .getByRole('tabpanel', { name: 'Transaction History' })
    .getByRole('searchbox')
    .fill(second.address)
  await expect(page.getByRole('main').locator('tbody tr')).toHaveCount(1)
  await untilLoaded(page)
  const transactions = await save(page)
  expect(transactions.name).toMatch(new RegExp(`^transactions-${DAY}\\.csv$`))
  expect(transactions.lines).toHaveLength(1)

  await tab(page, 'Earning Plans').click()
  const plan = page.getByRole('main').locator('tbody tr').filter({ hasText: 'PLAN-360' })
  await expect(plan).toBeVisible()
  expect((await save(page)).lines.some((line) => line.startsWith('PLAN-360,'))).toBe(true)
  await plan.getByRole('button', { name: 'See participants', exact: true }).click()
  const participants = page.getByRole('dialog')
  await participants.getByRole('searchbox').fill(first.address)
  await expect(participants.locator('tbody tr')).toHaveCount(1)
  await expect(participants.getByTitle(first.address)).toBeVisible()
  await untilLoaded(page)
  expect((await save(page, participants)).lines).toHaveLength(1)
})

test('a file that cannot be created shows a message', async ({ visit, admin }) => {
  const { page } = await visit({
    as: admin,
    path: '/admin/claim-history',
    tolerates: FAILED_CALLS,
    before: (fresh) => breakDown(fresh, /claim-history.*format=csv/),
  })
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  await expect(toast(page, 'The file could not be created. Please try again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save as CSV' })).toBeEnabled()
})

test('payouts, unmatched payments and the admin log are saved with their filters', async ({
  visit,
  admin,
  product,
}) => {
  const odd = '0.012345'
  await first.payUsdt(odd)
  await product.settle()
  const { page } = await visit({ as: admin, path: '/admin/operations?tab=payments' })
  await expect(page.getByRole('main').locator('tbody tr').filter({ hasText: odd })).toHaveCount(1)
  const payments = await save(page)
  expect(payments.name).toMatch(new RegExp(`^unmatched-payments-${DAY}\\.csv$`))
  expect(payments.lines.filter((line) => line.includes(odd))).toHaveLength(1)

  await tab(page, 'Payouts').click()
  await untilLoaded(page)
  const payouts = await save(page)
  expect(payouts.name).toMatch(new RegExp(`^payouts-${DAY}\\.csv$`))
  expect(payouts.lines.some((line) => line.includes(second.address))).toBe(true)

  await admin.call('PUT', '/api/admin/update-referral-reward', {
    ...{ target_tron_address: first.address, referral_reward_percentage: '7' },
  })
  await page.goto(`/admin/control?tab=log`)
  await expect(page.getByRole('main').locator('tbody tr').first()).toBeVisible()
  const log = await save(page)
  expect(log.name).toMatch(new RegExp(`^admin-log-${DAY}\\.csv$`))
  expect(log.lines.some((line) => line.includes('referral_percentage.set'))).toBe(true)
})

test('the claim pool and the claims of one user are saved', async ({ visit, admin }) => {
  await claimReferral(first, 'direct bonus')
  const search = `direct-search=${first.address}`
  const { page } = await visit({ as: admin, path: `/admin/referral-claim-pool?${search}` })
  await expect(page.getByRole('main').locator('tbody tr')).toHaveCount(1)
  await expect(page.getByTitle(first.address)).toBeVisible()
  const pool = await save(page)
  expect(pool.name).toMatch(new RegExp(`^referral-claim-pool-${DAY}\\.csv$`))
  expect(pool.lines).toEqual([expect.stringContaining(first.account.bsc_address)])

  await page.goto('/admin/dashboard?tab=users')
  await page.getByRole('searchbox').fill(first.address)
  const card = page.getByRole('article', { name: first.address })
  await card.getByRole('button', { name: 'Claims', exact: true }).click()
  const claims = page.getByRole('dialog', { name: 'Referral Claim Pool History' })
  await expect(claims.locator('tbody tr')).toHaveCount(1)
  await untilLoaded(page)
  expect((await save(page, claims)).lines).toHaveLength(1)
})
