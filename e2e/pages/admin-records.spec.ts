import type { AdminClaimRecord } from '@dct/api-contract/claims'
import type { AdminRewardRecord } from '@dct/api-contract/earnings'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { titlesOf } from '../support/lists.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { column, expectFilled, headers, shownDate, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply } from './support/world.ts'

const REWARDS = '/admin/reward-history'
const CLAIMS = '/admin/claim-history'
const REWARDS_PATH = '/api/admin/reward-distribution-history'
const CLAIMS_PATH = '/api/admin/claim-history'

const [claim] = recordedReply<{ claims: [AdminClaimRecord] }>(`GET ${CLAIMS_PATH}`).claims
const [reward] = recordedReply<{ rewards: [AdminRewardRecord] }>(`GET ${REWARDS_PATH}`).rewards
const DEBTOR = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const paidClaim: AdminClaimRecord = {
  ...claim,
  ...{ earning_plan_code: 'PLAN-360', claim_type: 'FULL', claimed_amount: '1.200000' },
  ...{ is_paid: true, unpaid_fee_usdt: '0.000000', claim_date: '2026-03-02T03:04:05.000Z' },
  ...{ tx_hash_usdt: `0x${'ab'.repeat(32)}`, tx_hash_reward: 'cd'.repeat(32) },
}
const openClaim: AdminClaimRecord = {
  ...paidClaim,
  ...{ tron_address: DEBTOR, claim_type: 'HALF', is_paid: false, unpaid_fee_usdt: '2.345678' },
  ...{ tx_hash_usdt: null, tx_hash_reward: null },
}
/** Twelve days of one holder. */
const rewards = Array.from({ length: 12 }, (_, index) => ({
  ...reward,
  reward_date: `2026-03-${`${index + 1}`.padStart(2, '0')}`,
  ...{ earning_plan_code: 'PLAN-360', locked_amount: '50.000000', reward_amount: '0.100000' },
}))

test.beforeEach(({ world }) => {
  world.answer(`GET ${REWARDS_PATH}`, (asked) =>
    listOf('rewards', rewards, asked, { day: 'reward_date' }),
  )
  world.answer(`GET ${CLAIMS_PATH}`, (asked) =>
    listOf('claims', [paidClaim, openClaim], asked, { day: 'claim_date' }),
  )
})

const table = (page: Page) => page.getByRole('main').getByRole('table')
const rows = (page: Page) => table(page).locator('tbody tr')
const filter = (page: Page) => page.getByLabel(/^Plan/)

test('[ADIST-02, ADIST-04, ADIST-05, ADIST-06, ROLE-09] the columns of rewards, ten per page, newest first', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: REWARDS })
  await page.getByRole('searchbox').fill(reward.tron_address)
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', REWARDS_PATH).at(-1)).search)
    .toBe(reward.tron_address)
  await expect(page.getByText('Page 1 of 2', { exact: true })).toBeVisible()
  await expect
    .poll(() => headers(table(page)))
    .toEqual(['Date', 'Plan Code', 'Tron Address', 'Locked', 'Amount'])
  await expect(rows(page)).toHaveCount(10)
  expect(new Set(await titlesOf(table(page), 2))).toEqual(new Set([reward.tron_address]))
  expect((await column(table(page), 3))[0]).toMatch(/^50\.000000\s*DCT$/)
  expect((await column(table(page), 4))[0]).toMatch(/^0\.100000\s*DCT$/)
  expect(queryOf(callsOf(calls, 'GET', REWARDS_PATH)[0])).toMatchObject({
    ...{ page: '1', limit: '10', sort_by: 'reward_date', sort_order: 'desc' },
  })
  const days = await titlesOf(table(page), 0)
  expect(days).toEqual(days.toSorted().toReversed())
  await expectFilled(table(page))
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(rows(page)).toHaveCount(2)
})

test('[ADIST-01, ADIST-03] rewards filtered by plan and by days', async ({ visit }) => {
  const path = `${REWARDS}?search=${reward.tron_address}`
  const { page, calls } = await visit({ as: 'admin', path })
  await expect(rows(page)).toHaveCount(10)
  const [newest = ''] = await titlesOf(table(page), 0)
  await expect(filter(page).locator('option').first()).toHaveText('All Plan')
  await page.getByLabel('End Date').fill('2020-01-02')
  await expect(page.getByText('No history found.', { exact: true })).toBeVisible()
  await page.getByLabel('End Date').fill(newest)
  await page.getByLabel('Start Date').fill(newest)
  await expect(rows(page)).toHaveCount(1)
  await filter(page).selectOption('PLAN-720')
  await expect(page.getByText('No history found.', { exact: true })).toBeVisible()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', REWARDS_PATH).at(-1)))
    .toMatchObject({
      ...{ earning_plan_code: 'PLAN-720', start_date: newest, end_date: newest },
    })
  await filter(page).selectOption('PLAN-360')
  await expect(rows(page).locator('td').nth(1)).toHaveText('PLAN-360')
})

test('[ACLAIM-02, ACLAIM-04, ACLAIM-05, ACLAIM-06, ACLAIM-07, ROLE-10] the columns of a paid claim, and of one whose fee is open', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: CLAIMS })
  await page.getByRole('searchbox').fill(paidClaim.tron_address)
  await expect(rows(page)).toHaveCount(1)
  await untilLoaded(page)
  await expect
    .poll(() => headers(table(page)))
    .toEqual([
      ...['Date', 'Tron Address', 'Plan Code', 'Amount', 'Claim Type', 'Paid'],
      ...['Unpaid Fee (USDT)', 'Tx Hash (USDT)', 'Tx Hash (Reward)'],
    ])
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([paidClaim.tron_address])
  const cells = rows(page).locator('td')
  await expect(cells.nth(0)).toContainText(shownDate(paidClaim.claim_date))
  await expect(cells.nth(2)).toHaveText('PLAN-360')
  await expect(cells.nth(3)).toHaveText('1.200000 DCT')
  await expect(cells.nth(4)).toHaveText('FULL')
  await expect(cells.nth(5)).toHaveText('Yes')
  await expect(cells.nth(6)).toHaveText('0.000000')
  await expect.poll(() => titlesOf(table(page), 7)).toEqual([paidClaim.tx_hash_usdt])
  await expect.poll(() => titlesOf(table(page), 8)).toEqual([paidClaim.tx_hash_reward])
  expect(queryOf(callsOf(calls, 'GET', CLAIMS_PATH)[0])).toMatchObject({
    ...{ page: '1', limit: '10', sort_by: 'claim_date', sort_order: 'desc' },
  })

  await page.getByRole('searchbox').fill(DEBTOR)
  await expect.poll(() => titlesOf(table(page), 1)).toEqual([DEBTOR])
  await expect(rows(page)).toHaveCount(1)
  await expect(cells.nth(4)).toHaveText('HALF')
  await expect(cells.nth(5)).toHaveText('No')
  await expect(cells.nth(6)).toHaveText('2.345678')
  await expect(cells.nth(7)).toHaveText('Not paid yet')
})

test('[ACLAIM-01, ACLAIM-03, ACLAIM-08] claims filtered by plan and by days', async ({ visit }) => {
  const path = `${CLAIMS}?search=${paidClaim.tron_address}`
  const { page, calls } = await visit({ as: 'admin', path })
  const none = page.getByText('No history found.', { exact: true })
  const plan = rows(page).locator('td').nth(2)
  await expect(plan).toHaveText('PLAN-360')
  await expect(filter(page).locator('option').first()).toHaveText('All Plan')
  await filter(page).selectOption('PLAN-720')
  await expect(none).toBeVisible()
  await filter(page).selectOption('')
  await expect(plan).toHaveText('PLAN-360')
  await page.getByLabel('Start Date').fill('2020-01-01')
  await page.getByLabel('End Date').fill('2020-01-02')
  await expect(none).toBeVisible()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', CLAIMS_PATH).at(-1)))
    .toMatchObject({ start_date: '2020-01-01', end_date: '2020-01-02' })
  // Either filter alone excludes the claim.
  await page.getByLabel('End Date').fill('')
  await expect(plan).toHaveText('PLAN-360')
  await page.getByLabel('Start Date').fill('2100-01-01')
  await expect(none).toBeVisible()
  await page.getByLabel('Start Date').fill('')
  await expect(plan).toHaveText('PLAN-360')
  await page.getByLabel('End Date').fill('2020-01-02')
  await expect(none).toBeVisible()
})

test('a history that cannot be loaded shows a message', async ({ visit, world }) => {
  world.breakDown(`GET ${REWARDS_PATH}`, `GET ${CLAIMS_PATH}`)
  for (const path of [REWARDS, CLAIMS]) {
    const { page } = await visit({ as: 'admin', path, tolerates: FAILED_CALLS })
    await expect(toast(page, 'There was a mistake when taking a history.')).toBeVisible()
    await expect(page.getByText('This list could not be loaded.')).toBeVisible()
  }
})

test('a claim whose fee was never paid says how much lapsed with it', async ({ visit, world }) => {
  const lapsed = { ...openClaim, state: 'lapsed', lapsed_amount: '0.450000' }
  world.answer(`GET ${CLAIMS_PATH}`, (asked) => listOf('claims', [lapsed], asked))
  const { page } = await visit({ as: 'admin', path: CLAIMS })
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('0.450000 DCT lapsed')
})
