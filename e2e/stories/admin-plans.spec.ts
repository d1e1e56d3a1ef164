import type { Page } from '@playwright/test'
import { callsOf } from '../support/calls.ts'
import { sentToContracts } from '../support/chain-calls.ts'
import { create, fill, form } from '../support/plan-form.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PLANS = '/admin/dashboard?tab=plans'
const PLANS_PATH = '/api/admin/earning-plans'
const CHECK = `${PLANS_PATH}/check`
const INFO = '/tron/wallet/gettransactioninfobyid'
const BROADCAST = '/tron/wallet/broadcasttransaction'

test.beforeAll(async ({ product, admin }) => {
  await product.give(admin.account, { dct: '5000' })
})

const table = (page: Page) => page.getByRole('table', { name: 'Earning Plans', exact: true })
const row = (page: Page, code: string) => table(page).locator('tbody tr').filter({ hasText: code })

test('[APLAN-14, APLAN-16, APLAN-17, APLAN-21, APLAN-23, CHAIN-05, CHAIN-07, CHAIN-16] approve, fund, check the chain, create', async ({
  visit,
  admin,
  product,
}) => {
  const { page, calls } = await visit({ as: admin, path: PLANS })
  await fill(page, 'STORY-1')
  await form(page)
    .getByLabel(/^Active accumulation/)
    .check()
  await create(page)
  await expect(row(page, 'STORY-1')).toBeVisible({ timeout: 60_000 })
  await expect(toast(page, 'The plan STORY-1 was created.')).toBeVisible()
  const terms = {
    ...{ plan_code: 'STORY-1', name: 'Name of STORY-1', total_reward: 100.5, duration_days: 30 },
    ...{ total_percentage: 6.25, daily_limit: 12.5, is_accumulation_active: true, is_active: true },
  }
  expect(callsOf(calls, 'POST', CHECK).map(({ body }) => body)).toEqual([terms])
  const [creation, ...more] = callsOf(calls, 'POST', PLANS_PATH)
  expect(more).toEqual([])
  const { token, reward_pool } = product.info.tron
  expect(sentToContracts(calls)).toEqual([
    { to: token, name: 'approve', args: [reward_pool, 100_500_000n] },
    { to: reward_pool, name: 'addRewardForPlan', args: ['STORY-1', 100_500_000n] },
  ])
  const [, funding] = callsOf(calls, 'POST', BROADCAST)
  const hash = funding?.body.txID
  expect(creation?.body).toEqual({ ...terms, tx_hash: hash })
  const asked = callsOf(calls, 'POST', INFO).filter(({ body }) => body.value === hash)
  const [lastAsked] = asked.slice(-1)
  expect(asked.length).toBeGreaterThan(0)
  expect(lastAsked && creation && calls.indexOf(lastAsked) < calls.indexOf(creation)).toBe(true)
})

test('a plan that was funded on another device is created there with that funding, and not funded again', async ({
  visit,
  admin,
}) => {
  const code = 'PLAN-ELSEWHERE'
  const first = await visit({ as: admin, path: PLANS, tolerates: FAILED_CALLS })
  await fill(first.page, code)
  await first.page.route(`**${PLANS_PATH}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { message: 'Later.', code: 'LATER' } })
      : route.fallback(),
  )
  await create(first.page)
  await expect(toast(first.page, 'Later.')).toBeVisible({ timeout: 40_000 })
  await first.page.close()

  const { page, calls } = await visit({ as: admin, path: PLANS })
  await fill(page, code)
  await create(page)
  await page
    .getByRole('button', { name: 'This is the funding of this plan: create the plan with it' })
    .click()
  await expect(toast(page, new RegExp(code))).toBeVisible({ timeout: 40_000 })
  await expect(row(page, code)).toBeVisible()
  expect(callsOf(calls, 'POST', BROADCAST)).toEqual([])
})
