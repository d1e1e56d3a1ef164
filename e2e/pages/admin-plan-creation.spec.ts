import { SUCCESSES } from '@dct/api-contract/successes'
import { callsOf } from '../support/calls.ts'
import { sentToContracts } from '../support/chain-calls.ts'
import { create, field, fill, review, submit } from '../support/plan-form.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { fact, toast, untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import type { World } from './support/world.ts'

const PLANS = '/admin/dashboard?tab=plans'
const PLANS_PATH = '/api/admin/earning-plans'
const CHECK = `POST ${PLANS_PATH}/check`
const INFO = '/tron/wallet/gettransactioninfobyid'
const INCOMPLETE = 'Plan and daily limit names must be filled!'
const BROADCAST = '/tron/wallet/broadcasttransaction'
const AS_ADMIN = { as: 'admin', wallet: 'connected', path: PLANS } as const

/** Lets a plan be checked and announced. */
function allowPlans(world: World): void {
  world.answer(CHECK, ({ body }) => ({
    ...{ message: SUCCESSES.PLAN_CAN_BE_CREATED, plan_code: codeOf(body), fundings: [] },
    ...{ total_reward: '100.500000', max_token_allowed: '1608.000000' },
  }))
  world.answer(`POST ${PLANS_PATH}/open-on-chain`, ({ body }) => ({
    ...{ message: SUCCESSES.PLAN_TERMS_FIXED, plan_code: codeOf(body) },
  }))
}
const codeOf = (body: unknown) => (body as { plan_code: string }).plan_code

test.beforeEach(({ world }) => allowPlans(world))

test('[APLAN-15] without a name or a daily limit nothing is sent; before funds move, a review names the terms and what cannot be changed; a comma is accepted as the decimal separator', async ({
  visit,
}) => {
  const { page, calls, toasts } = await visit(AS_ADMIN)
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
  expect(callsOf(calls, 'POST', `${PLANS_PATH}/check`)).toEqual([])
})

test('[APLAN-22, APLAN-25] the result is polled every 3 seconds, 60 times, and then nothing is created', async ({
  visit,
  world,
}) => {
  test.slow() // runs through 180 seconds of page time
  world.chain.fate.addRewardForPlan = 'unseen'
  const { page, calls } = await visit({ ...AS_ADMIN, hasOwnClock: true })
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

test('[APLAN-24] a funding that fails on chain creates no plan', async ({ visit, world }) => {
  world.chain.fate.addRewardForPlan = 'failed'
  const { page, calls } = await visit(AS_ADMIN)
  await fill(page, 'STORY-3')
  await create(page)
  await expect(toast(page, /The transaction failed on the blockchain/)).toBeVisible({
    timeout: 60_000,
  })
  expect(callsOf(calls, 'POST', PLANS_PATH)).toEqual([])
})

test('[APLAN-26] a failed creation shows the server’s message, or the fallback', async ({
  visit,
  world,
}) => {
  world.say(CHECK, 'Not on a Saturday.')
  const { page } = await visit({ ...AS_ADMIN, tolerates: FAILED_CALLS })
  await fill(page, 'STORY-4')
  await create(page)
  await expect(toast(page, 'Not on a Saturday.')).toBeVisible()
  world.breakDown(CHECK)
  await create(page)
  await expect(toast(page, 'An error occurs when adding a plan.')).toBeVisible()
  await untilLoaded(page)
})
