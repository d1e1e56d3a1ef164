import type { AdminEarning } from '@dct/api-contract/earnings'
import type { EarningPlan } from '@dct/api-contract/plans'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { DIRECTIONS, expectAsked, sortBy, titlesOf } from '../support/lists.ts'
import { fact, headers, shownDate, shownDecimal } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply } from './support/world.ts'

const PLANS = '/admin/dashboard?tab=plans'
const PLANS_PATH = '/api/admin/earning-plans'

type Plans = { earning_plans: EarningPlan[] }
const plans = recordedReply<Plans>(`GET ${PLANS_PATH}`).earning_plans.toSorted((a, b) =>
  a.plan_code.localeCompare(b.plan_code),
)
const [plan360, plan720] = plans as [EarningPlan, EarningPlan]
const [earning] = recordedReply<{ earnings: [AdminEarning] }>(
  'GET /api/admin/user-earnings',
).earnings
const participant: AdminEarning = {
  ...earning,
  ...{ earning_plan_code: 'PLAN-360', total_locked_amount: '50.000000' },
  ...{ daily_reward: '0.100000', total_reward: '36.000000' },
}

test.beforeEach(({ world }) => {
  const now = new Map(plans.map((plan) => [plan.plan_code, plan]))
  world.answer(`GET ${PLANS_PATH}`, (asked) => {
    const list = listOf('earning_plans', [...now.values()], asked) as Plans
    return { ...list, plans: list.earning_plans }
  })
  world.answer(`PATCH ${PLANS_PATH}`, ({ body }) => {
    const { plan_code, name, daily_limit, ...flags } = body as EarningPlan
    const before = now.get(plan_code) as EarningPlan
    const changed = { ...before, ...flags, name, daily_limit: Number(daily_limit).toFixed(6) }
    now.set(plan_code, changed)
    return { message: SUCCESSES.PLAN_CHANGED, earning_plan: changed }
  })
  for (const [path, earnings] of [
    ['user-earnings', [participant]],
    ['daily-user-earnings', []],
  ] as const)
    world.answer(`GET /api/admin/${path}`, (asked) => listOf('earnings', earnings, asked))
})

const table = (page: Page) => page.getByRole('table', { name: 'Earning Plans', exact: true })
const row = (page: Page, code: string) => table(page).locator('tbody tr').filter({ hasText: code })
const action = (page: Page, code: string, name: string) =>
  row(page, code).getByRole('button', { name, exact: true })
const form = (page: Page) => page.getByRole('form')
const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true })
const submit = (page: Page) => form(page).getByRole('button', { name: /^(Fund and create|Save)$/ })

test('[APLAN-01, APLAN-02, APLAN-03, APLAN-04, APLAN-13, ROLE-08] the table of plans, its search and its pages', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: PLANS })
  await expect(row(page, 'PLAN-360')).toBeVisible()
  await expect
    .poll(() => headers(table(page)))
    .toEqual([
      ...['Plan Code', 'Name', 'Duration', 'Total Reward', 'Total Percentage', 'Max Token Allowed'],
      ...['Daily Limit', 'Remaining Daily Limit', 'Remaining Annual Quota', 'Active accumulation'],
      ...['Plan Active', 'Action'],
    ])
  expect(queryOf(callsOf(calls, 'GET', PLANS_PATH)[0])).toMatchObject({
    ...{ page: '1', limit: '10', sort_by: 'created_at', sort_order: 'desc' },
  })
  await expect(page.getByText(/^Page 1 of \d+$/)).toBeVisible()
  await page.getByRole('searchbox').fill('PLAN-720')
  await expect(row(page, 'PLAN-360')).toHaveCount(0)
  const plan = plan720
  const figure = (decimal: string) => `${shownDecimal(decimal)} DCT`
  await expect(row(page, 'PLAN-720').locator('td')).toHaveText([
    ...['PLAN-720', 'Plan 720', '720 days', figure(plan.total_reward), '216.00%'],
    ...[figure(plan.max_token_allowed), figure(plan.daily_limit)],
    new RegExp(`^${figure(plan.remaining_daily_quota)}`),
    ...[figure(plan.remaining_annual_quota), plan.is_accumulation_active ? 'Yes' : 'No'],
    ...[plan.is_active ? 'Yes' : 'No', 'EditSee participantsSee daily participants'],
  ])
  await page.getByRole('searchbox').fill('no such plan')
  await expect(page.getByText('No data plan is found.', { exact: true })).toBeVisible()
})

test('the remaining daily limit explains why it can exceed the limit', async ({ visit, world }) => {
  const carried = [
    { ...plan360, remaining_daily_quota: '33784.000000' },
    { ...plan720, remaining_daily_quota: '0.000000' },
  ]
  world.alter<Plans>(`GET ${PLANS_PATH}`, (list) => ({
    ...{ ...list, earning_plans: carried, plans: carried },
  }))
  const { page } = await visit({ as: 'admin', path: PLANS })
  const left = (code: string) => row(page, code).locator('td').nth(7)
  await expect(left('PLAN-360')).toHaveText('33,784.000000 DCTincludes unused days')
  await expect(left('PLAN-720')).toHaveText('0.000000 DCT')
})

test('[APLAN-06, APLAN-08, APLAN-09, APLAN-10, APLAN-11, APLAN-12] the participants of a plan', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: PLANS })
  await action(page, 'PLAN-360', 'See participants').click()
  const dialog = page.getByRole('dialog', { name: 'Participants of PLAN-360', exact: true })
  const people = dialog.getByRole('table')
  const columns = {
    ...{ 'Tron Address': 'tron_address', 'Total Locked': 'total_locked_amount' },
    ...{ 'Daily Reward': 'daily_reward', 'Total Reward': 'total_reward' },
    ...{ 'Start Date': 'start_date', 'End Date': 'end_date' },
  }
  await dialog.getByRole('searchbox').fill(participant.tron_address)
  await expect(people.locator('tbody tr')).toHaveCount(1)
  await expect.poll(() => headers(people)).toEqual(Object.keys(columns))
  await expect.poll(() => titlesOf(people, 0)).toEqual([participant.tron_address])
  await expect(people.getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`/address/${participant.tron_address}$`),
  )
  await expect(people.locator('tbody td')).toHaveText([
    ...[/^T/, '50.000000 DCT', '0.100000 DCT', '36.000000 DCT'],
    ...[participant.start_date, participant.end_date].map(shownDate),
  ])
  for (const [name, id] of Object.entries(columns)) {
    for (const [direction, order] of DIRECTIONS) {
      await sortBy(people, name, direction)
      expectAsked(calls, '/api/admin/user-earnings', {
        ...{ earning_plan_code: 'PLAN-360', sort_by: id, sort_order: order },
      })
    }
  }
  await dialog.getByRole('searchbox').fill('TNobody')
  await expect(dialog.getByText('No participants were found.', { exact: true })).toBeVisible()
})

test('[API-54, APLAN-07, APLAN-08, APLAN-09] the participants who joined today', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: PLANS })
  await action(page, 'PLAN-720', 'See daily participants').click()
  const dialog = page.getByRole('dialog', { name: /^Participants of PLAN-720 who joined today$/ })
  await expect(dialog.getByText('No participants were found.', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('searchbox')).toBeVisible()
  await expect
    .poll(() => headers(dialog.getByRole('table')))
    .toEqual([
      ...['Tron Address', 'Total Locked', 'Daily Reward', 'Total Reward', 'Start Date', 'End Date'],
    ])
  await dialog.getByRole('searchbox').fill('TNobody')
  const asked = { earning_plan_code: 'PLAN-720', page: '1', limit: '10', search: 'TNobody' }
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', '/api/admin/daily-user-earnings').at(-1)))
    .toMatchObject({ ...asked, sort_by: 'start_date', sort_order: 'desc' })
  expect(callsOf(calls, 'GET', '/api/admin/user-earnings')).toEqual([])
})

test('[APLAN-05, APLAN-14, APLAN-18, APLAN-19] an edit changes the editable fields', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: 'admin', path: PLANS })
  await action(page, 'PLAN-720', 'Edit').click()
  await expect(field(page, 'Plan code')).toHaveValue('PLAN-720')
  await expect(field(page, 'Total percentage (%)')).toHaveValue('216')
  for (const name of [
    ...['Plan code', 'Total reward (DCT)', 'Duration (days)', 'Total percentage (%)'],
  ]) {
    await expect(field(page, name)).toBeDisabled()
  }
  await expect(fact(form(page), 'Max token allowed')).toHaveText('4,629.629629 DCT')
  await field(page, 'Name').fill('Two years')
  await field(page, 'Daily limit (DCT)').fill('1999.5')
  await form(page)
    .getByLabel(/^Active accumulation/)
    .uncheck()
  await expect(form(page).getByLabel(/^Plan active/)).toBeChecked()
  await submit(page).click()
  await expect(form(page)).toHaveCount(0)
  expect(callsOf(calls, 'PATCH', PLANS_PATH).map(({ body }) => body)).toEqual([
    {
      ...{ plan_code: 'PLAN-720', name: 'Two years', daily_limit: 1999.5 },
      ...{ is_accumulation_active: false, is_active: true },
    },
  ])
  await expect(row(page, 'PLAN-720')).toContainText('Two years')
  await expect(row(page, 'PLAN-720').locator('td').nth(6)).toHaveText('1,999.500000 DCT')
})
