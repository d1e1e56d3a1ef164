import type { User } from '@dct/api-contract/auth'
import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { DIRECTIONS, expectAsked, sortBy, titlesOf } from '../support/lists.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { fact, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { addressOf, answerUsers, bottom, middle, top, UPDATE, USERS_PATH } from './support/users.ts'
import { listOf, recordedReply } from './support/world.ts'

const USERS = '/admin/dashboard?tab=users'
const SORTS = {
  tron_address: 'Tron Address',
  role: 'Role',
  referral_code: 'Referral Code',
  email: 'Email',
  created_at: 'Join Date',
  total_referrals: 'Total Referrals',
  referral_reward_percentage: 'Reward %',
  total_direct_reward: 'Total Direct Reward',
  total_indirect_reward: 'Total Indirect Reward',
  total_direct_claimed: 'Total Direct Claimed',
  total_indirect_claimed: 'Total Indirect Claimed',
  total_direct_unclaimed: 'Total Direct Unclaimed',
  total_indirect_unclaimed: 'Total Indirect Unclaimed',
  total_referral_omset: 'Omset',
}

test.beforeEach(({ world }) => answerUsers(world))

const of = (holder: User) => `${USERS}&user-search=${holder.tron_address}`
const card = (page: Page, holder: User) =>
  page.getByRole('article', { name: holder.tron_address, exact: true })
const button = (page: Page, name: string) =>
  card(page, top).getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const lastQuery = (calls: Parameters<typeof callsOf>[0]) =>
  queryOf(callsOf(calls, 'GET', USERS_PATH).at(-1))

test('[AUSER-01, AUSER-02, AUSER-04, ROLE-06] the card of a user', async ({ visit }) => {
  const { page } = await visit({ as: 'admin', path: of(top) })
  const mine = card(page, top)
  await expect(mine).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(mine.getByTitle(top.tron_address)).toBeVisible()
  await expect(mine.getByText('user', { exact: true })).toBeVisible()
  await expect(fact(mine, 'E-mail')).toHaveText('top@example.org')
  await expect(fact(mine, 'Referral code')).toHaveText(top.referral_code)
  await expect(fact(mine, 'Join date')).toHaveText(/^\d{1,2} \S+ \d{4}, \d\d\.\d\d$/)
  await expect(fact(mine, 'Direct referrals')).toHaveText('1')
  await expect(fact(mine, 'Omset')).toHaveText('30.000000 DCT')
  await expect(fact(mine, 'Reward %')).toHaveText('0.00%')
  await fact(mine, 'Direct referrals').getByRole('button', { name: / 1$/ }).click()
  await expect(dialog(page, 'User Referrals')).toBeVisible()
})

test('[AUSER-03] a user without an e-mail address shows N/A', async ({ visit }) => {
  const { page } = await visit({ as: 'admin', path: of(bottom) })
  await expect(fact(card(page, bottom), 'E-mail')).toHaveText('N/A')
})

test('[AUSER-05, AUSER-06, AUSER-07] three tabs with the figures of both reward types and their sums', async ({
  visit,
  world,
}) => {
  const earner: User = {
    ...top,
    ...{ total_direct_reward: '0.036000', total_direct_claimed: '0.036000' },
    ...{ total_direct_unclaimed: '0.000000', total_indirect_reward: '0.072000' },
    ...{ total_indirect_claimed: '0.000000', total_indirect_unclaimed: '0.072000' },
  }
  world.answer(`GET ${USERS_PATH}`, (asked) => listOf('users', [earner], asked))
  const expected = {
    'Fee Referral': ['0.036000 USDT', '0.036000 USDT', '0.000000 USDT'],
    'Fee Earning': ['0.072000 USDT', '0.000000 USDT', '0.072000 USDT'],
    Summary: ['0.108000 USDT', '0.036000 USDT', '0.072000 USDT'],
  }
  const { page } = await visit({ as: 'admin', path: of(earner) })
  for (const [name, [reward, claimed, unclaimed]] of Object.entries(expected)) {
    await card(page, earner).getByRole('tab', { name, exact: true }).click()
    const panel = card(page, earner).getByRole('tabpanel', { name, exact: true })
    await expect(fact(panel, 'Total reward')).toHaveText(reward ?? '')
    await expect(fact(panel, 'Claimed')).toHaveText(claimed ?? '')
    await expect(fact(panel, 'Unclaimed')).toHaveText(unclaimed ?? '')
  }
})

test('[AUSER-12, AUSER-13] ten users per page, newest first', async ({ visit, world }) => {
  const many = Array.from({ length: 12 }, (_, index) => ({
    ...top,
    tron_address: addressOf('ABCDEFGHJKLM'[index] ?? ''),
    created_at: `2026-03-${30 - index}T03:04:05.000Z`,
  }))
  world.answer(`GET ${USERS_PATH}`, (asked) => listOf('users', many, asked))
  const { page, calls } = await visit({ as: 'admin', path: USERS })
  await expect(page.getByRole('article')).toHaveCount(10)
  await expect
    .poll(() => lastQuery(calls))
    .toMatchObject({
      ...{ page: '1', limit: '10', sort_by: 'created_at', sort_order: 'desc' },
    })
  await expect(page.getByRole('article').nth(8)).toHaveAccessibleName(addressOf('J'))
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText('Page 2 of 2', { exact: true })).toBeVisible()
  await expect.poll(() => lastQuery(calls)).toMatchObject({ page: '2' })
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('[AUSER-14] the fourteen sort columns, in both directions', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'admin', path: USERS })
  await expect(page.getByRole('article').first()).toBeVisible()
  const choice = page.getByLabel('Sort by')
  await choice.selectOption('tron_address')
  for (const [id, name] of Object.entries(SORTS)) {
    if (id !== 'tron_address') await choice.selectOption({ label: name })
    await expect.poll(() => lastQuery(calls)).toMatchObject({ sort_by: id, sort_order: 'asc' })
    await page.getByRole('button', { name: 'Ascending', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Descending', exact: true })).toBeVisible()
    await untilLoaded(page)
    expectAsked(calls, USERS_PATH, { sort_by: id, sort_order: 'desc' })
    if (id !== 'tron_address') continue
    const names = await page
      .getByRole('article')
      .evaluateAll((cards) => cards.map((one) => one.getAttribute('aria-label') ?? ''))
    expect(names).toEqual(names.toSorted().toReversed())
  }
})

test('[AUSER-28, AUSER-30] users are found by e-mail address and code, or a message says that nobody was found', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'admin', path: USERS })
  const search = page.getByRole('searchbox')
  await search.fill('middle@exam')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(card(page, middle)).toBeVisible()
  await search.fill(top.referral_code)
  await expect(card(page, top)).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await search.fill('nobody at all')
  await expect(page.getByText('No user found.', { exact: true })).toBeVisible()
})

test('[AUSER-15, AUSER-16, AUSER-17] a percentage is a number from 0 to 75', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'admin', path: of(top) })
  await button(page, 'Edit %').click()
  const edit = dialog(page, 'Edit Reward Percentage')
  await expect(edit).toContainText('1 to 75%')
  const field = edit.getByRole('textbox')
  const save = edit.getByRole('button', { name: 'Save', exact: true })
  for (const [typed, problem] of [
    ['abc', 'Masukkan persentase yang valid'],
    ['', 'Masukkan persentase yang valid'],
    ['7.255', 'Masukkan persentase yang valid'],
    ['-1', 'Persentase harus antara 0-75%'],
    ['75.01', 'Persentase harus antara 0-75%'],
    ['76', 'Persentase harus antara 0-75%'],
  ] as const) {
    await field.fill(typed)
    await save.click()
    await expect(toast(page, problem)).toBeVisible()
    await expect(edit).toBeVisible()
  }
  for (const typed of ['75', '0']) {
    await field.fill(typed)
    await save.click()
    await expect(dialog(page, 'Confirm Update')).toContainText(`${typed}.00%`)
    await dialog(page, 'Confirm Update').getByRole('button', { name: 'Cancel' }).click()
    await button(page, 'Edit %').click()
  }
  expect(callsOf(calls, 'PUT', UPDATE)).toEqual([])
})

test('[AUSER-10, AUSER-11, AUSER-18, ROLE-12] the old and the new percentage are confirmed before saving', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: of(top) })
  await button(page, 'Edit %').click()
  const edit = dialog(page, 'Edit Reward Percentage')
  await edit.getByRole('textbox').fill('12.5')
  await edit.getByRole('button', { name: 'Save', exact: true }).click()
  const confirm = dialog(page, 'Confirm Update')
  await expect(fact(confirm, 'Old value')).toHaveText('0.00%')
  await expect(fact(confirm, 'New value')).toHaveText('12.50%')
  expect(callsOf(calls, 'PUT', UPDATE)).toEqual([])
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(confirm).toHaveCount(0)
  await expect(fact(card(page, top), 'Reward %')).toHaveText('12.50%')
  expect(callsOf(calls, 'PUT', UPDATE).map(({ body }) => body)).toEqual([
    { target_tron_address: top.tron_address, referral_reward_percentage: 12.5 },
  ])

  await page.goto(USERS)
  const toggle = page.getByRole('checkbox', { name: 'Only users with a reward percentage' })
  await toggle.click()
  await expect(toggle).toBeChecked()
  await expect(card(page, top)).toBeVisible()
  await expect(card(page, middle)).toHaveCount(0)
  await expect.poll(() => lastQuery(calls)).toMatchObject({ filter_reward_percentage: 'true' })
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  await expect(page.getByRole('article').nth(1)).toBeVisible()
})

test('[AUSER-19] a percentage that cannot be saved', async ({ visit, world }) => {
  world.breakDown(`PUT ${UPDATE}`)
  const { page } = await visit({ as: 'admin', path: of(middle), tolerates: FAILED_CALLS })
  await card(page, middle).getByRole('button', { name: 'Edit %' }).click()
  const edit = dialog(page, 'Edit Reward Percentage')
  await edit.getByRole('textbox').fill('3')
  await edit.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog(page, 'Confirm Update').getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toast(page, 'Gagal mengupdate persentase reward')).toBeVisible()
})

test('[AUSER-20, AUSER-21, AUSER-22, AUSER-23, AUSER-24, AUSER-25, AUSER-26, AUSER-33, ROLE-13] down the tree and back, searched and sorted', async ({
  visit,
  world,
}) => {
  const below: Record<string, readonly User[]> = {
    [top.tron_address]: [middle],
    [middle.tron_address]: [bottom],
  }
  const downlines: Record<string, readonly [number, string]> = {
    [top.tron_address]: [2, '30.000000'],
    [middle.tron_address]: [1, '20.000000'],
  }
  world.answer('GET /api/admin/user-referrals/:id', (asked) => {
    const rows = below[asked.params.id ?? ''] ?? []
    const nodes = rows.map((one) => ({
      ...{ tron_address: one.tron_address, referral_code: one.referral_code },
      ...{ created_at: one.created_at, total_referrals: one.total_referrals },
      ...{ level: 1, total_locked_amount: '10.000000' },
    }))
    return listOf('referrals', nodes, asked)
  })
  world.answer('GET /api/admin/downline-turnover/:id', ({ params }) => {
    const [total_downline, total_turnover] = downlines[params.id ?? ''] ?? [0, '0.000000']
    const data = { total_downline, total_turnover }
    return { data, ...data }
  })
  const { page, calls } = await visit({ as: 'admin', path: of(top) })
  await button(page, `Referrals of ${short(top)}: 1`).click()
  const tree = dialog(page, 'User Referrals')
  const path = tree.getByRole('navigation', { name: 'Path' }).getByRole('listitem')
  await expect(path).toHaveText([short(top)])
  await expect(fact(tree, 'Level')).toHaveText('1')
  await expect(fact(tree, 'Total downline')).toHaveText('2')
  await expect(fact(tree, 'Total turnover')).toHaveText('30.000000 DCT')
  await expect(tree.getByRole('button', { name: 'Back to Parent' })).toHaveCount(0)
  await tree.getByRole('button', { name: `Show the referrals of ${short(middle)}: 1` }).click()
  await expect(path).toHaveText([short(top), short(middle)])
  await expect(fact(tree, 'Level')).toHaveText('2')
  await expect(fact(tree, 'Total downline')).toHaveText('1')
  await expect(fact(tree, 'Total turnover')).toHaveText('20.000000 DCT')
  await expect.poll(() => titlesOf(tree.getByRole('table'), 1)).toEqual([bottom.tron_address])
  await tree.getByRole('button', { name: `Show the referrals of ${short(bottom)}: 0` }).click()
  await expect(fact(tree, 'Level')).toHaveText('3')
  await expect(tree.getByText('No referrals found.', { exact: true })).toBeVisible()
  await tree.getByRole('button', { name: 'Back to Parent' }).click()
  await expect(fact(tree, 'Level')).toHaveText('2')
  await path.first().getByRole('button').click()
  await expect(fact(tree, 'Level')).toHaveText('1')
  await expect(path).toHaveText([short(top)])

  const table = tree.getByRole('table')
  const columns = {
    ...{ Level: 'level', 'Tron Address': 'tron_address', 'Referral code': 'referral_code' },
    ...{ 'Total Locked': 'total_locked_amount', 'Total Referrals': 'total_referrals' },
    'Join Date': 'created_at',
  }
  const list = `/api/admin/user-referrals/${top.tron_address}`
  await expect(table.locator('tbody tr')).toHaveCount(1)
  for (const [name, id] of Object.entries(columns)) {
    for (const [direction, order] of DIRECTIONS) {
      await sortBy(table, name, direction)
      expectAsked(calls, list, { sort_by: id, sort_order: order })
    }
  }
  await tree.getByRole('searchbox').fill(bottom.tron_address)
  await expect(tree.getByText('No referrals found.', { exact: true })).toBeVisible()
  await tree.getByRole('searchbox').fill(middle.tron_address)
  await expect(table.getByTitle(middle.tron_address)).toBeVisible()
  await expect.poll(() => titlesOf(table, 1)).toEqual([middle.tron_address])
})

test('[AUSER-08, AUSER-09, AUSER-29, AUSER-31, AUSER-32] both histories can be searched, sorted and filtered by days', async ({
  visit,
  world,
}) => {
  for (const [path, items] of [
    ['referral-reward-history', 'referral_rewards'],
    ['referral-claim-pool-history', 'referral_claim_pool'],
  ] as const)
    world.answer(`GET /api/admin/${path}/:id`, (asked) => listOf(items, [], asked))
  const { page, calls } = await visit({ as: 'admin', path: of(top) })
  for (const [opener, title, path, empty, column, id] of [
    [
      'Rewards',
      'Referral Reward History',
      'referral-reward-history',
      'No referral rewards found.',
      'Reward Amount',
      'reward_amount',
    ],
    [
      'Claims',
      'Referral Claim Pool History',
      'referral-claim-pool-history',
      'No referral claim pool found.',
      'Total reward',
      'total_accumulated',
    ],
  ] as const) {
    await button(page, opener).click()
    const history = dialog(page, title)
    await expect(history.getByText(empty, { exact: true })).toBeVisible()
    await history.getByLabel('Start Date').fill('2020-01-01')
    await history.getByLabel('End Date').fill('2020-01-02')
    await history.getByRole('searchbox').fill(bottom.tron_address)
    await sortBy(history.getByRole('table'), column, 'ascending')
    await expect
      .poll(() => queryOf(callsOf(calls, 'GET', `/api/admin/${path}/${top.tron_address}`).at(-1)))
      .toMatchObject({
        ...{ page: '1', limit: '10', search: bottom.tron_address, sort_by: id, sort_order: 'asc' },
        ...{ start_date: '2020-01-01', end_date: '2020-01-02' },
      })
    await expect(history.getByText(/^Page 1 of 1$/)).toBeVisible()
    await history.getByRole('button', { name: 'Close' }).click()
  }
})

test('[AUSER-27] a claim without a bonus type shows N/A', async ({ visit, world }) => {
  const history = 'GET /api/admin/referral-claim-pool-history/:id'
  const [claim] = recordedReply<{ referral_claim_pool: [ClaimPoolEntry] }>(
    history,
  ).referral_claim_pool
  // The service's replies always have one, so this is no reply of its schema.
  world.answer(history, (asked) => {
    const list = listOf('referral_claim_pool', [{ ...claim, bonus_type: null }], asked)
    return { status: 200, text: JSON.stringify(list) }
  })
  const { page } = await visit({ as: 'admin', path: of(top) })
  await button(page, 'Claims').click()
  const rows = dialog(page, 'Referral Claim Pool History').locator('tbody tr')
  await expect(rows.locator('td').first()).toHaveText('N/A')
})

test('[AUSER-34, AUSER-35, AUSER-36] parts of a user that cannot be loaded show a message', async ({
  visit,
  world,
}) => {
  const parts = [
    ['Rewards', 'referral-reward-history', 'referral rewards history'],
    ['Claims', 'referral-claim-pool-history', 'referral claim pool history'],
    [`Referrals of ${short(top)}: 1`, 'user-referrals', 'referral data'],
  ] as const
  for (const [, path] of parts) world.breakDown(`GET /api/admin/${path}/:id`)
  const { page } = await visit({ as: 'admin', path: of(top), tolerates: FAILED_CALLS })
  for (const [opener, , what] of parts) {
    await button(page, opener).click()
    await expect(toast(page, `An error occurs when loading ${what}.`)).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  }
})

function short({ tron_address: address }: User): string {
  return `${address.slice(0, 5)}...${address.slice(-5)}`
}
