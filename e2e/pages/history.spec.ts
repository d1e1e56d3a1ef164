import type { ClaimRecord } from '@dct/api-contract/claims'
import type { RewardRecord, UserEarning } from '@dct/api-contract/earnings'
import type { Locator, Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { DIRECTIONS, expectAsked, sortBy } from '../support/lists.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import {
  column,
  dismissToast,
  earningCard,
  headers,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply } from './support/world.ts'

const REWARDS = 'Reward Distribution History'
const CLAIMS = 'Reward Claim History'
const REWARDS_PATH = '/api/user/reward-distribution-history'
const FAILED = 'There was a mistake when taking a history.'

const CLAIMS_PATH = '/api/user/claim-history'
const EARNINGS = 'GET /api/user/earnings'

const [earning] = recordedReply<{ earnings: [UserEarning] }>(EARNINGS).earnings
const [reward] = recordedReply<{ rewards: [RewardRecord] }>(`GET ${REWARDS_PATH}`).rewards
const [claim] = recordedReply<{ claims: [ClaimRecord] }>(`GET ${CLAIMS_PATH}`).claims
const firstDay = '2026-03-01'
const rewards: RewardRecord[] = Array.from({ length: 13 }, (_, index) => ({
  ...{ ...reward, earning_plan_code: 'PLAN-720', reward_amount: '0.150000', cycle: index + 1 },
  reward_date: `2026-03-${`${index + 1}`.padStart(2, '0')}`,
}))
/** A paid claim, and a newer one whose fee is open. */
const claims: [ClaimRecord, ClaimRecord] = [
  {
    ...{
      ...claim,
      plan_code: 'PLAN-720',
      earning_plan_code: 'PLAN-720',
      claimed_amount: '1.050000',
    },
    ...{ is_paid: true, claim_date: '2026-03-07T03:04:05.000Z', trx_hash: 'ab'.repeat(32) },
  },
  {
    ...{
      ...claim,
      plan_code: 'PLAN-720',
      earning_plan_code: 'PLAN-720',
      claimed_amount: '0.900000',
    },
    ...{ is_paid: false, claim_date: '2026-03-13T03:04:05.000Z', trx_hash: 'cd'.repeat(32) },
  },
]

test.beforeEach(({ world }) => {
  world.answer(EARNINGS, (asked) =>
    listOf('earnings', [{ ...earning, earning_plan_code: 'PLAN-720' }], asked),
  )
  world.answer(`GET ${REWARDS_PATH}`, (asked) => listOf('rewards', rewards, asked))
  world.answer(`GET ${CLAIMS_PATH}`, (asked) => listOf('claims', claims, asked))
})

async function open(page: Page, name: string): Promise<Locator> {
  await earningCard(page, 'PLAN-720').getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name, exact: true })
  await expect(dialog.locator('tbody tr').first()).not.toContainText('—')
  await untilLoaded(page)
  return dialog
}

const days = (dialog: Locator) =>
  dialog
    .locator('tbody time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''))
const ascending = (texts: readonly string[]) => texts.toSorted()
const descending = (texts: readonly string[]) => texts.toSorted().toReversed()

test('[EARN-13, HIST-01, HIST-02, HIST-03, HIST-04, HIST-07, API-23] the distribution view: newest first, ten per page, filtered by typing, and sorted by each column in both directions', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'user', path: '/dashboard' })
  const dialog = await open(page, REWARDS)
  await expect
    .poll(() => headers(dialog.getByRole('table')))
    .toEqual(['Date', 'Plan Code', 'Amount'])
  const [first] = callsOf(calls, 'GET', REWARDS_PATH)
  expect(queryOf(first)).toMatchObject({
    page: '1',
    limit: '10',
    sort_by: 'reward_date',
    sort_order: 'desc',
  })
  await expect(dialog.locator('tbody tr')).toHaveCount(10)
  const newest = await days(dialog)
  expect(newest).toEqual(descending(newest))
  await expect(dialog.getByText('Page 1 of 2')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Prev' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByText('Page 2 of 2')).toBeVisible()
  await expect(dialog.locator('tbody tr')).toHaveCount(3)
  await expect(dialog.getByRole('button', { name: 'Next' })).toBeDisabled()
  const last = dialog.locator('tbody tr').last()
  await expect(last).toContainText('PLAN-720')
  await expect(last).toContainText('0.150000 DCT')
  const shown = new Intl.DateTimeFormat('id-ID', { dateStyle: 'medium', timeZone: 'UTC' })
  await expect(last).toContainText(shown.format(new Date(firstDay)))

  const search = dialog.getByRole('searchbox')
  await search.fill(firstDay)
  await expect(dialog.locator('tbody time')).toHaveCount(1)
  await expect.poll(() => days(dialog)).toEqual([firstDay])
  await search.fill('PLAN-7')
  await expect(dialog.locator('tbody tr')).toHaveCount(10)
  await search.fill('nothing of this name')
  await expect(dialog.getByText('Nothing matches the search.')).toBeVisible()

  await search.fill('')
  await expect(dialog.locator('tbody tr')).toHaveCount(10)
  for (const [name, id] of [
    ['Date', 'reward_date'],
    ['Plan Code', 'earning_plan_code'],
    ['Amount', 'reward_amount'],
  ] as const) {
    for (const [direction, order] of DIRECTIONS) {
      await sortBy(dialog.getByRole('table'), name, direction)
      expectAsked(calls, REWARDS_PATH, { sort_by: id, sort_order: order, page: '1' })
      if (id !== 'reward_date') continue
      const shown = await days(dialog)
      expect(shown).toEqual(order === 'asc' ? ascending(shown) : descending(shown))
      expect(shown.includes(firstDay)).toBe(order === 'asc')
    }
  }
})

test('[EARN-14, HIST-01, HIST-02, HIST-05, HIST-06, HIST-08, API-28, CHAIN-10] the claim view: newest first, with the transaction on the explorer, sorted and searched', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'user', path: '/dashboard' })
  const dialog = await open(page, CLAIMS)
  await expect
    .poll(() => headers(dialog.getByRole('table')))
    .toEqual(['Date', 'Plan Code', 'Amount', 'Transaction Hash'])
  const [asked] = callsOf(calls, 'GET', '/api/user/claim-history')
  expect(queryOf(asked)).toMatchObject({
    page: '1',
    limit: '10',
    plan_code: 'PLAN-720',
    sort_by: 'claim_date',
    sort_order: 'desc',
  })
  await expect(dialog.locator('tbody tr')).toHaveCount(2)
  await expect(dialog.locator('tbody td:nth-child(2)')).toHaveText([/^PLAN-720/, /^PLAN-720/])
  await expect
    .poll(() => column(dialog.getByRole('table'), 2))
    .toEqual(['0.900000 DCT', '1.050000 DCT'])
  await expect(dialog.locator('tbody tr').first()).toContainText('Paid: No')
  await expect(dialog.locator('tbody tr').last()).toContainText('Paid: Yes')
  const shown = await days(dialog)
  expect(shown).toEqual(descending(shown))

  const link = dialog.locator('tbody tr').last().getByRole('link')
  await expect(link).toHaveAttribute(
    'href',
    `https://nile.tronscan.org/#/transaction/${claims[0].trx_hash}`,
  )

  const rows = dialog.locator('tbody tr')
  for (const [name, index] of [
    ['Amount', 2],
    ['Date', 0],
    ['Plan Code', 1],
    ['Transaction Hash', 3],
  ] as const) {
    const orders: string[][] = []
    for (const [direction] of DIRECTIONS) {
      await sortBy(dialog.getByRole('table'), name, direction)
      orders.push(await column(dialog.getByRole('table'), index))
    }
    expect(orders[1]).toEqual(orders[0]?.toReversed())
  }
  await dialog.getByRole('searchbox').fill(claims[0].trx_hash)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('1.050000 DCT')
})

test('a claim that ended unpaid stays in the claim view, with what became of its amount', async ({
  visit,
  world,
}) => {
  const [, unpaid] = claims
  const ended = [
    { ...unpaid, state: 'lapsed', lapsed_amount: '0.450000', code_claim: 'CL-00000000000000A1' },
    { ...unpaid, state: 'cancelled', code_claim: 'CL-00000000000000A2' },
  ]
  world.answer(`GET ${CLAIMS_PATH}`, (asked) => listOf('claims', ended, asked))
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const rows = (await open(page, CLAIMS)).locator('tbody tr')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: '0.450000 DCT' })).toContainText('Paid: No')
  await expect(rows.filter({ hasText: /cancelled/i })).toContainText('Paid: No')
})

test('[HIST-09] histories that cannot be loaded show a message and are empty', async ({
  visit,
  world,
}) => {
  const { page } = await visit({ as: 'user', path: '/dashboard', tolerates: FAILED_CALLS })
  for (const [name, path] of [
    [REWARDS, REWARDS_PATH],
    [CLAIMS, CLAIMS_PATH],
  ] as const) {
    const dialog = await open(page, name)
    await expect(dialog.locator('tbody time').first()).toBeVisible()
    world.breakDown(`GET ${path}`)
    await dialog.getByRole('columnheader', { name: 'Date' }).getByRole('button').click()
    await expect(toast(page, FAILED)).toBeVisible()
    await expect(dialog.locator('tbody time')).toHaveCount(0)
    await dismissToast(page, FAILED)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test('[FMT-06] dates are in Indonesian: a day without a time, an instant with its time', async ({
  visit,
  world,
}) => {
  const late = { ...earning, earning_plan_code: 'PLAN-720', end_date: '2030-08-31T12:05:00.000Z' }
  world.answer(EARNINGS, (asked) => listOf('earnings', [late], asked))
  world.answer(`GET ${REWARDS_PATH}`, (asked) =>
    listOf(
      'rewards',
      [{ ...reward, earning_plan_code: 'PLAN-720', reward_date: '2026-08-01' }],
      asked,
    ),
  )
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  await expect(page.getByText('31 Agu 2030, 19.05').first()).toBeVisible()
  const dialog = await open(page, REWARDS)
  await expect(dialog.locator('tbody tr').first()).toContainText('1 Agu 2026')
})
