import type { Page } from '@playwright/test'
import { type Call, callsOf } from '../support/calls.ts'
import { sentToContracts } from '../support/chain-calls.ts'
import { breakDown, FAILED_CALLS, refuse } from '../support/provoke.ts'
import { fact, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PLANS = '/admin/dashboard?tab=plans'
const PLANS_PATH = '/api/admin/earning-plans'
const CHECK = `${PLANS_PATH}/check`
const INFO = '/tron/wallet/gettransactioninfobyid'
const INCOMPLETE = 'Plan and daily limit names must be filled!'
const BROADCAST = '/tron/wallet/broadcasttransaction'

test.beforeAll(async ({ product, admin }) => {
  await product.give(admin.account, { dct: '5000' })
})

const table = (page: Page) => page.getByRole('table', { name: 'Earning Plans', exact: true })
const row = (page: Page, code: string) => table(page).locator('tbody tr').filter({ hasText: code })
const form = (page: Page) => page.getByRole('form')
const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true })
const submit = (page: Page) => form(page).getByRole('button', { name: /^(Fund and create|Save)$/ })

const review = (page: Page) => page.getByRole('dialog', { name: /^Review: plan / })

/** Submits the form of a new plan and confirms the review. */
async function create(page: Page) {
  await submit(page).click()
  await review(page)
    .getByRole('button', { name: /^Fund .+ DCT$/ })
    .click()
}

async function fill(page: Page, code: string) {
  await page.getByRole('button', { name: 'Add plan', exact: true }).click()
  await field(page, 'Plan code').fill(code)
  await field(page, 'Name').fill(`Name of ${code}`)
  await field(page, 'Total reward (DCT)').fill('100.5')
  await field(page, 'Duration (days)').fill('30.9')
  await field(page, 'Total percentage (%)').fill('6.25')
  await field(page, 'Daily limit (DCT)').fill('12.5')
}

test('[APLAN-15] without a name or a daily limit nothing is sent; before funds move, a review names the terms and what cannot be changed; a comma is accepted as the decimal separator', async ({
  visit,
  admin,
}) => {
  const { page, calls, toasts } = await visit({ as: admin, path: PLANS })
  await fill(page, 'REVIEWED')
  for (const name of ['Name', 'Daily limit (DCT)']) {
    const typed = await field(page, name).inputValue()
    await field(page, name).fill('')
    await submit(page).click()
    await expect.poll(() => toasts, name).toEqual([INCOMPLETE])
    toasts.length = 0
    await field(page, name).fill(typed)
  }
  expect(calls.filter(({ method, path }) => method !== 'GET' && path.includes(PLANS_PATH))).toEqual(
    [],
  )

  await field(page, 'Total reward (DCT)').fill('100,5')
  await submit(page).click()
  await expect(fact(review(page), 'Plan code')).toHaveText('REVIEWED')
  await expect(fact(review(page), 'Total reward (DCT)')).toHaveText('100.500000 DCT')
  await expect(fact(review(page), 'Duration (days)')).toHaveText('30')
  await expect(fact(review(page), 'Total percentage (%)')).toHaveText('6.25%')
  await expect(fact(review(page), 'Daily limit (DCT)')).toHaveText('12.500000 DCT')
  await expect(review(page)).toContainText('100.500000 DCT move from your wallet')
  await review(page).getByRole('button', { name: 'Back', exact: true }).click()
  await expect(field(page, 'Plan code')).toHaveValue('REVIEWED')
  expect(sentToContracts(calls)).toEqual([])
  expect(callsOf(calls, 'POST', CHECK)).toEqual([])
})

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

type TransactionInfo = { id?: string; receipt?: object }

/** Alters the node's reply about the funding transaction, but not about the approval before it. */
async function answerOnFunding(
  page: Page,
  calls: readonly Call[],
  change: (info: TransactionInfo) => object,
) {
  await page.route(
    (url) => url.pathname === INFO,
    async (route) => {
      const response = await route.fetch()
      const info: TransactionInfo = await response.json()
      const [approval] = callsOf(calls, 'POST', BROADCAST)
      const isFunding = route.request().postDataJSON().value !== approval?.body.txID
      await route.fulfill({ response, json: isFunding ? change(info) : info })
    },
  )
}

test('[APLAN-22, APLAN-25] the result is polled every 3 seconds, 60 times, and then nothing is created', async ({
  visit,
  admin,
}) => {
  test.slow() // runs through 180 seconds of page time
  const { page, calls } = await visit({
    as: admin,
    path: PLANS,
    before: (fresh) => fresh.clock.install(),
  })
  await answerOnFunding(page, calls, () => ({}))
  await fill(page, 'STORY-2')
  await create(page)
  await expect.poll(() => callsOf(calls, 'POST', BROADCAST).length, { timeout: 60_000 }).toBe(2)
  const hash = callsOf(calls, 'POST', BROADCAST)[1]?.body.txID
  const asked = () => callsOf(calls, 'POST', INFO).filter(({ body }) => body.value === hash).length
  await expect.poll(asked).toBeGreaterThan(0)
  while (asked() < 60) {
    // The next wait starts once the last response has been read.
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === INFO)
    await page.clock.fastForward(3_000)
    await (await answer).finished()
  }
  await expect(async () => {
    await page.clock.runFor(1_000)
    const timeout = toast(page, 'Transaction timeout. Please try again.')
    await expect(timeout).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.clock.runFor(10_000)
  expect(asked()).toBe(60)
  expect(callsOf(calls, 'POST', PLANS_PATH)).toEqual([])
  await expect(page.getByText(/The rewards of STORY-2 were sent/)).toBeVisible()
})

test('[APLAN-24] a funding that fails on chain creates no plan', async ({ visit, admin }) => {
  const { page, calls } = await visit({ as: admin, path: PLANS })
  await answerOnFunding(page, calls, (info) =>
    info.id === undefined
      ? info
      : { ...info, result: 'FAILED', receipt: { ...info.receipt, result: 'REVERT' } },
  )
  await fill(page, 'STORY-3')
  await create(page)
  await expect(toast(page, /The transaction failed on the blockchain/)).toBeVisible({
    timeout: 60_000,
  })
  expect(callsOf(calls, 'POST', PLANS_PATH)).toEqual([])
})

test('[APLAN-26] a failed creation shows the server’s message, or the fallback', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({
    as: admin,
    path: PLANS,
    tolerates: FAILED_CALLS,
    before: (fresh) => refuse(fresh, CHECK, 'Not on a Saturday.'),
  })
  await fill(page, 'STORY-4')
  await create(page)
  await expect(toast(page, 'Not on a Saturday.')).toBeVisible()
  await page.unrouteAll()
  await breakDown(page, CHECK)
  await create(page)
  await expect(toast(page, 'An error occurs when adding a plan.')).toBeVisible()
  await untilLoaded(page)
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
