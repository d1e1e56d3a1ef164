import type { ClaimPoolEntry, ReferralNode, ReferralReward } from '@dct/api-contract/referrals'
import type { Locator, Page } from '@playwright/test'
import { type Call, callsOf, queryOf } from '../support/calls.ts'
import { DIRECTIONS, sortBy } from '../support/lists.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { REFERRAL_PATHS } from '../support/referrals.ts'
import { column, headers, part, shownDate, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply } from './support/world.ts'

/** The lists, in the page's order. */
const LISTS = [
  {
    name: 'My referral',
    path: REFERRAL_PATHS.downline,
    start: 'level',
    columns: [
      ['Level', 'level'],
      ['Tron Address', 'tron_address'],
      ['Referral Code', 'referral_code'],
      ['Join Date', 'created_at'],
    ],
    empty: 'No referrals have been registered.',
    failed: 'An error occurs when taking referral data.',
    items: 'referrals',
  },
  {
    name: 'Referral Rewards',
    path: REFERRAL_PATHS.rewards,
    start: 'created_at',
    columns: [
      ['From Address', 'from_tron_address'],
      ['Reward Amount', 'reward_amount'],
      ['Reward Description', 'reward_description'],
      ['Reward Date', 'created_at'],
    ],
    empty: 'No referral rewards found.',
    failed: 'An error occurs when taking referral rewards data.',
    items: 'referral_rewards',
  },
  {
    name: 'Referral Claim Pool',
    path: REFERRAL_PATHS.claims,
    start: 'last_claim_date',
    columns: [
      ['Bonus Type', 'bonus_type'],
      ['Total Reward', 'total_accumulated'],
      ['Claim Date', 'last_claim_date'],
      ['Approve At', 'approve_at'],
      ['Tx Hash USDT', 'tx_hash_usdt'],
      ['USDT Address', 'usdt_address'],
    ],
    empty: 'No referral claim pool found.',
    failed: 'An error occurs when taking referral claim pool data.',
    items: 'referral_claim_pool',
  },
] as const

const [node] = recordedReply<{ referrals: [ReferralNode] }>(
  `GET ${REFERRAL_PATHS.downline}`,
).referrals
const [reward] = recordedReply<{ referral_rewards: [ReferralReward] }>(
  `GET ${REFERRAL_PATHS.rewards}`,
).referral_rewards
const [claim] = recordedReply<{ referral_claim_pool: [ClaimPoolEntry] }>(
  `GET ${REFERRAL_PATHS.claims}`,
).referral_claim_pool

/** Twelve people: eleven on level 1 and one below the first of them. */
const nodes: ReferralNode[] = Array.from({ length: 12 }, (_, index) => ({
  ...node,
  level: index < 11 ? 1 : 2,
  tron_address: `T${('ABCDEFGHJKLM'[index] ?? '').repeat(33)}`,
  referral_code: `CODE${((index * 7) % 12) + 10}`,
  created_at: `2026-03-${10 + index}T03:04:05.000Z`,
}))
const friend = nodes[0] as ReferralNode
const friendsFriend = nodes[11] as ReferralNode

const rewards: ReferralReward[] = [
  { from: friend, reward_description: 'direct downline reward', rate_percentage: '10' },
  { from: friend, reward_description: 'bonus referral level 1', rate_percentage: '20' },
  { from: friendsFriend, reward_description: 'bonus referral level 2', rate_percentage: '20' },
].map(({ from, ...own }, index) => ({
  ...{ ...reward, ...own, id: `${index + 1}`, from_tron_address: from.tron_address },
  ...{ reward_amount: `0.0${index + 1}0000`, earning_plan_code: 'PLAN-720' },
  ...{ fee_amount: '0.360000', created_at: `2026-03-1${index}T03:04:05.000Z` },
}))
const claims: ClaimPoolEntry[] = (['direct bonus', 'non-direct'] as const).map(
  (bonus_type, index) => ({ ...claim, bonus_type, id: `${index + 1}` }),
)
const ROWS = [nodes, rewards, claims] as const

test.beforeEach(({ world }) => {
  for (const [index, { path, items }] of LISTS.entries())
    world.answer(`GET ${path}`, (asked) => listOf<object>(items, ROWS[index] ?? [], asked))
})

const tableOf = (page: Page, name: string) => part(page, name).getByRole('table')
const lastQuery = (calls: readonly Call[], path: string) =>
  queryOf(callsOf(calls, 'GET', path).at(-1))
const dateOf = ({ created_at }: { created_at: string }) => shownDate(created_at)

test('[REF-01, REF-05, REF-08, REF-14, REF-16, REF-17, REF-18, REF-36] four blocks and their columns, in order, and the facts of a reward', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'user', path: '/referrals' })
  await expect(page.locator('main').getByRole('heading', { level: 2 })).toHaveText([
    'My referral',
    'Referral Rewards',
    'Referral Summary',
    'Referral Claim Pool',
  ])
  for (const { name, columns } of LISTS) {
    await expect.poll(() => headers(tableOf(page, name))).toEqual(columns.map(([header]) => header))
  }

  const table = tableOf(page, 'Referral Rewards')
  const shown: Record<string, string> = {
    'bonus referral level 1': 'fee earning level 1',
    'bonus referral level 2': 'fee earning level 2',
    'direct downline reward': 'fee referral',
  }
  await expect
    .poll(() => column(table, 2))
    .toEqual(rewards.map((reward) => shown[reward.reward_description]))
  await expect
    .poll(() => column(table, 1))
    .toEqual(rewards.map((reward) => `${reward.reward_amount} USDT`))
  await expect.poll(() => column(table, 3)).toEqual(rewards.map(dateOf))

  await table.getByText('fee earning level 2', { exact: true }).click()
  await expect(
    table.getByText(
      /^20\.00% of the claim fee of 0\.360000 USDT that .*, on level 2 of your downline/,
    ),
  ).toBeVisible()
})

test('[REF-06, REF-09, REF-15, REF-37] lists start ascending, and every column sorts in both directions, and the rows follow', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'user', path: '/referrals' })
  const codes = nodes.map((node) => node.referral_code).toSorted()
  for (const { name, path, start, columns } of LISTS) {
    await untilLoaded(page)
    expect(seen(calls, path, { sort_by: start, sort_order: 'asc' })).toBe(true)
    const table = tableOf(page, name)
    for (const [index, [header, id]] of columns.entries()) {
      // The first click reverses the column by which a list is already sorted; other columns start ascending.
      const isSorted = index === 0 && id === start
      const directions = isSorted ? DIRECTIONS.toReversed() : DIRECTIONS
      for (const [direction, sort_order] of directions) {
        await sortBy(table, header, direction)
        await expect.poll(() => seen(calls, path, { sort_by: id, sort_order })).toBe(true)
        if (id !== 'referral_code') continue
        const rows = direction === 'ascending' ? codes : codes.toReversed()
        await expect.poll(() => column(table, 2)).toEqual(rows.slice(0, 10))
      }
    }
  }
})

/** Whether any call requested exactly this order. */
function seen(calls: readonly Call[], path: string, order: Record<string, string>): boolean {
  return callsOf(calls, 'GET', path).some((call) => {
    const query = queryOf(call)
    return Object.entries(order).every(([name, value]) => query[name] === value)
  })
}

test('[REF-02, REF-03, REF-04, REF-05, REF-10] the pages of the downline, its dates and links', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'user', path: '/referrals' })
  const downline = part(page, 'My referral')
  const table = tableOf(page, 'My referral')
  const [previous, next] = ['Prev', 'Next'].map((name) =>
    downline.getByRole('button', { name, exact: true }),
  ) as [Locator, Locator]
  await expect(downline.getByText('Page 1 of 2', { exact: true })).toBeVisible()
  expect(lastQuery(calls, REFERRAL_PATHS.downline)).toMatchObject({ page: '1', limit: '10' })
  await expect(previous).toBeDisabled()
  await expect.poll(() => column(table, 3)).toEqual(nodes.slice(0, 10).map(dateOf))
  await next.click()
  await expect(downline.getByText('Page 2 of 2', { exact: true })).toBeVisible()
  await expect(next).toBeDisabled()
  await expect.poll(() => column(table, 0)).toEqual(['1', '2'])
  await expect(table.getByTitle(friendsFriend.tron_address)).toHaveAttribute(
    'href',
    new RegExp(`^https?://.+/address/${friendsFriend.tron_address}$`),
  )
  await previous.click()
  await expect(downline.getByText('Page 1 of 2', { exact: true })).toBeVisible()
  await expect(table.locator('tbody tr')).toHaveCount(10)
})

test('[REF-02, REF-03, REF-04] the pages of rewards and claims', async ({ visit, world }) => {
  const [, rewardsList, claimsList] = LISTS
  const many = { [rewardsList.items]: reward, [claimsList.items]: claim }
  for (const { path, items } of [rewardsList, claimsList]) {
    const rows = Array.from({ length: 12 }, (_, index) => ({ ...many[items], id: `${index + 1}` }))
    world.answer(`GET ${path}`, (asked) => listOf(items, rows, asked))
  }
  const { page } = await visit({ as: 'user', path: '/referrals' })
  for (const { name } of [rewardsList, claimsList]) {
    const list = part(page, name)
    const [previous, next] = ['Prev', 'Next'].map((label) =>
      list.getByRole('button', { name: label, exact: true }),
    ) as [Locator, Locator]
    const rows = list.locator('tbody tr')
    await expect(list.getByText('Page 1 of 2', { exact: true })).toBeVisible()
    await expect(rows).toHaveCount(10)
    await expect(previous).toBeDisabled()
    const first = await rows.allInnerTexts()
    await next.click()
    await expect(list.getByText('Page 2 of 2', { exact: true })).toBeVisible()
    await expect(rows).toHaveCount(2)
    await expect(next).toBeDisabled()
    await previous.click()
    await expect(list.getByText('Page 1 of 2', { exact: true })).toBeVisible()
    await expect.poll(() => rows.allInnerTexts()).toEqual(first)
  }
})

test('[REF-07] the downline is searched by the button, not while typing', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'user', path: '/referrals' })
  const downline = part(page, 'My referral')
  await expect(tableOf(page, 'My referral').locator('tbody tr')).toHaveCount(10)
  await downline.getByRole('searchbox').fill(friendsFriend.tron_address)
  // The other lists search while typing: once such a search was sent, this list's would have been, too.
  await part(page, 'Referral Rewards').getByRole('searchbox').fill('PLAN-720')
  await expect.poll(() => seen(calls, REFERRAL_PATHS.rewards, { search: 'PLAN-720' })).toBe(true)
  await expect(tableOf(page, 'My referral').locator('tbody tr')).toHaveCount(10)
  const search = { search: friendsFriend.tron_address }
  expect(seen(calls, REFERRAL_PATHS.downline, search)).toBe(false)

  await downline.getByRole('button', { name: 'Search', exact: true }).click()
  await expect.poll(() => column(tableOf(page, 'My referral'), 0)).toEqual(['2'])
  expect(seen(calls, REFERRAL_PATHS.downline, search)).toBe(true)
})

test('[REF-13, REF-35] rewards and claims can be searched', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'user', path: '/referrals' })
  const rewards = part(page, 'Referral Rewards')
  await expect(rewards.locator('tbody tr')).toHaveCount(3)
  await rewards.getByRole('searchbox').fill(friendsFriend.tron_address)
  await expect(rewards.locator('tbody tr')).toHaveCount(1)
  await expect(rewards.getByTitle(friendsFriend.tron_address)).toBeVisible()
  const claims = part(page, 'Referral Claim Pool')
  await expect(claims.locator('tbody tr')).toHaveCount(2)
  await claims.getByRole('searchbox').fill('non-direct')
  await expect(claims.locator('tbody tr')).toHaveCount(1)
  await expect
    .poll(() => column(claims.getByRole('table'), 0))
    .toEqual([expect.stringMatching(/^non-direct/)])
  expect(seen(calls, REFERRAL_PATHS.claims, { search: 'non-direct' })).toBe(true)
})

test('[REF-11, REF-19, REF-41] empty lists show a message', async ({ visit, world }) => {
  for (const { path, items } of LISTS)
    world.answer(`GET ${path}`, (asked) => listOf(items, [], asked))
  const { page } = await visit({ as: 'user', path: '/referrals' })
  for (const { name, empty } of LISTS) {
    await expect(part(page, name).getByText(empty, { exact: true })).toBeVisible()
    await expect(part(page, name).getByText('Page 1 of 1', { exact: true })).toBeVisible()
  }
})

test('[REF-12, REF-20, REF-42, ERR-02] lists that cannot be loaded show the server’s message, or the fallback', async ({
  visit,
  world,
}) => {
  const routes = LISTS.map(({ path }) => `GET ${path}`)
  const open = () => visit({ as: 'user', path: '/referrals', tolerates: FAILED_CALLS })
  world.breakDown(...routes)
  const { page } = await open()
  for (const { failed, empty } of LISTS) {
    await expect(toast(page, failed)).toBeVisible()
    await expect(page.getByText(empty)).toHaveCount(0)
  }
  world.mend(...routes)
  for (const route of routes) {
    world.refuse(route, 'TOO_MANY_REQUESTS')
    const { toasts } = await open()
    await expect.poll(() => toasts).toEqual(['Too many requests. Please wait a moment.'])
    world.mend(route)
  }
})

test('a page of referrals of which nothing can be loaded says so once, and one press loads all of it', async ({
  visit,
  world,
}) => {
  const routes = [...LISTS.map(({ path }) => path), REFERRAL_PATHS.summary].map(
    (path) => `GET ${path}`,
  )
  world.breakDown(...routes)
  const { page, toasts } = await visit({
    ...{ as: 'user', path: '/referrals', tolerates: FAILED_CALLS },
  })
  await expect(page.getByText('could not be loaded')).toHaveText(
    'Your referrals could not be loaded.',
  )
  expect(toasts).toEqual([])
  world.mend(...routes)
  await page.getByRole('button', { name: 'Try again' }).click()
  for (const { name } of LISTS) await expect(part(page, name)).toBeVisible()
  await expect(page.getByText('could not be loaded')).toHaveCount(0)
})
