import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import type { EarningAnswer } from '../outside/published-shapes.ts'
import { callsOf, queryOf } from '../support/calls.ts'
import { alter, breakDown, cutOff, FAILED_CALLS, refuse } from '../support/provoke.ts'
import { claimed, joined, openFee, PLAN_360, PLAN_720, paid } from '../support/scenes.ts'
import { earningCard, fact, tab, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** A plan that ends soon and pays enough that a claim is possible on its first day. */
const SHORT = { code: 'SHORT-3', durationDays: 3 }
const SHORT_TERMS = { totalReward: '500', totalPercentage: '12', dailyLimit: '500' }

/** Has stakes in two plans and a paid HALF claim; no fee is open. */
let busy: OutsideHolder
/** Has a claim with an open fee. */
let frozen: OutsideHolder
/** Each has an earning that has ended; `endedFrozen` also has an open fee. */
let ended: OutsideHolder
let endedFrozen: OutsideHolder
/** Each has submitted a lock that no node knows: `waiting` just now, `failed` long ago. */
let waiting: OutsideHolder
let failed: OutsideHolder

/** Storage of a browser that has already shown the overlay of the submitted join. */
const SHOWN = { shownJoins: JSON.stringify(['e'.repeat(64)]) }
const submitLock = (holder: OutsideHolder, digit: string) =>
  holder.call('POST', '/api/user/earnings', {
    plan_code: 'PLAN-360',
    amount: '10',
    trx_hash: digit.repeat(64),
  })

test.beforeAll(async ({ product }) => {
  await product.createPlan({ ...SHORT, ...SHORT_TERMS })
  const holders = await Promise.all(Array.from({ length: 6 }, () => product.holder()))
  ;[busy, frozen, ended, endedFrozen, waiting, failed] = holders as [
    OutsideHolder,
    OutsideHolder,
    OutsideHolder,
    OutsideHolder,
    OutsideHolder,
    OutsideHolder,
  ]
  await submitLock(failed, 'f')
  await joined(product, busy)
  await joined(product, frozen)
  await joined(product, ended, { plan: SHORT })
  await joined(product, endedFrozen, { plan: SHORT })
  await product.advance(1)
  await claimed(product, endedFrozen, { plan: SHORT, type: 'FULL' })
  // A day later, so that the two earnings never start in the same second.
  await joined(product, busy, { plan: PLAN_360, amount: '30' })
  await product.advance(4)
  await paid(product, busy, await claimed(product, busy, { type: 'HALF' }))
  await claimed(product, frozen, { type: 'FULL' })
  await submitLock(waiting, 'e')
})

async function answerOf(holder: OutsideHolder, planCode: string): Promise<EarningAnswer> {
  const { earnings } = await holder.call<{ earnings: EarningAnswer[] }>(
    'GET',
    `/api/user/earnings?earning_plan_code=${planCode}`,
  )
  const [earning] = earnings
  if (!earning) throw new Error(`No earning in ${planCode}`)
  return earning
}

const status = (page: Page, planCode: string) =>
  earningCard(page, planCode).locator('header .badge')
const historyButtons = (page: Page, planCode: string) =>
  earningCard(page, planCode).getByRole('button', { name: /History$/ })

test('[EARN-01, EARN-02, EARN-03, EARN-04, EARN-05, EARN-06, EARN-07, EARN-08, EARN-10, EARN-16, EARN-17, EARN-18, EARN-19, FMT-01, FMT-02, FMT-03] every earning with its figures, the newest first, its histories and a block for the early half of a HALF claim, but no capital to claim', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: busy, wallet: 'absent', path: '/dashboard' })
  const cards = page.getByRole('tabpanel', { name: 'My Earnings' }).getByRole('article')
  await expect(cards.getByRole('heading', { level: 3 })).toHaveText(['PLAN-360', 'PLAN-720'])

  for (const { code } of [PLAN_360, PLAN_720]) {
    const answer = await answerOf(busy, code)
    const card = earningCard(page, code)
    await expect(status(page, code)).toHaveText('Active')
    await expect(fact(card, 'Running amount')).toHaveText(`${answer.total_locked_amount} DCT`)
    await expect(fact(card, 'Ongoing reward')).toHaveText(`${answer.total_shared_reward} DCT`)
    await expect(fact(card, 'Claimable reward')).toHaveText(`${answer.total_unclaimed} DCT`)
    await expect(fact(card, 'Claim count')).toHaveText(`${answer.reward_distribution_count} / 30`)
    const share = Number(answer.total_shared_reward) / Number(answer.total_reward)
    const bar = card.getByRole('progressbar', { name: 'Reward progress' })
    expect(await bar.evaluate((one: HTMLProgressElement) => one.position)).toBeCloseTo(share, 3)
    const percentage = (Math.floor(share * 10_000) / 100).toFixed(2)
    await expect(card.getByText(`(${percentage}%)`)).toBeVisible()
  }
  await expect(fact(earningCard(page, 'PLAN-360'), 'Claim count')).toHaveText('4 / 30')
  await expect(fact(earningCard(page, 'PLAN-360'), 'Claimable reward')).toHaveText('0.240000 DCT')
  await expect(fact(earningCard(page, 'PLAN-720'), 'Claim count')).toHaveText('0 / 30')
  await expect(fact(earningCard(page, 'PLAN-720'), 'Claimable reward')).toHaveText('0.000000 DCT')

  const [list] = callsOf(calls, 'GET', '/api/user/earnings')
  expect(queryOf(list)).toMatchObject({
    page: '1',
    limit: '10',
    sort_by: 'start_date',
    sort_order: 'desc',
  })

  await expect(historyButtons(page, 'PLAN-720')).toHaveText([
    'Reward Distribution History',
    'Reward Claim History',
  ])
  await expect(page.getByRole('button', { name: 'Claim Capital' })).toHaveCount(0)
  const early = earningCard(page, 'PLAN-720').locator('.early-claims')
  await expect(early).toContainText('Claimed early (HALF)')
  await expect(early).toContainText('0.375000 DCT')
  await expect(early.getByRole('link')).toHaveAttribute('href', /\/transaction\/[0-9a-f]{64}$/)
  await expect(earningCard(page, 'PLAN-360')).not.toContainText('Claimed early')
})

test('[STATE-05, STATE-03, STATE-04, STATE-06, STATE-13, EARN-17] the display of running, frozen and ended earnings; a FULL claim has no early half', async ({
  visit,
}) => {
  for (const [holder, plan, text] of [
    [busy, 'PLAN-720', 'Active'],
    [frozen, 'PLAN-720', 'Freeze'],
    [ended, SHORT.code, 'Deactive'],
    [endedFrozen, SHORT.code, 'Freeze'],
  ] as const) {
    const { page } = await visit({ as: holder, wallet: 'absent', path: '/dashboard' })
    await expect(status(page, plan)).toHaveText(text)
    if (holder !== busy) await expect(earningCard(page, plan)).not.toContainText('Claimed early')
  }
  expect(await answerOf(endedFrozen, SHORT.code)).toMatchObject({ is_frozen: true })
  expect(await answerOf(ended, SHORT.code)).toMatchObject({ is_frozen: false })
})

test('[STATE-01, STATE-02, EARN-15, EARN-16, EARN-10] an unconfirmed earning shows no rewards, no history, no capital', async ({
  visit,
}) => {
  for (const [holder, text] of [
    [waiting, 'Waiting for hash confirmation'],
    [failed, 'Failed to confirm hash'],
  ] as const) {
    const { page } = await visit({
      as: holder,
      wallet: 'absent',
      path: '/dashboard',
      storage: SHOWN,
    })
    await expect(status(page, 'PLAN-360')).toHaveText(text)
    const card = earningCard(page, 'PLAN-360')
    await expect(fact(card, 'Running amount')).toHaveText('10.000000 DCT')
    await expect(card.locator('dt')).toHaveText(['Running amount'])
    await expect(card.getByRole('progressbar')).toHaveCount(0)
    await expect(card.getByRole('button')).toHaveCount(0)
  }
})

test('[EARN-10] an unconfirmed lock offers no capital even after its end', async ({ visit }) => {
  type Earnings = { earnings: EarningAnswer[] }
  const longAgo = ({ earnings, ...frame }: Earnings) => ({
    ...frame,
    earnings: earnings.map((one) => ({ ...one, end_date: '2020-01-01T00:00:00.000Z' })),
  })
  for (const holder of [waiting, failed]) {
    const { page } = await visit({
      as: holder,
      wallet: 'absent',
      path: '/dashboard',
      storage: SHOWN,
      before: (fresh) => alter<Earnings>(fresh, '/api/user/earnings', longAgo),
    })
    await expect(earningCard(page, 'PLAN-360')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Claim Capital' })).toHaveCount(0)
  }
})

test('[EARN-09, EARN-11, STATE-08, API-17] the capital of an ended earning can be claimed and is returned', async ({
  visit,
  product,
}) => {
  const { page, calls } = await visit({ as: ended, wallet: 'absent', path: '/dashboard' })
  await earningCard(page, SHORT.code).getByRole('button', { name: 'Claim Capital' }).click()
  await expect(tab(page, 'Join Earning Plan')).toHaveCount(0)
  await expect.poll(() => callsOf(calls, 'POST', '/api/user/request-claim').length).toBe(1)
  const [call] = callsOf(calls, 'POST', '/api/user/request-claim')
  expect(call?.body).toEqual({ earning_plan_code: SHORT.code })
  await product.settle()
  const { staking, token } = product.info.tron
  const stakeId = await ended.read(staking, 'stakeOf(address,string)', [
    { type: 'address', value: ended.address },
    { type: 'string', value: SHORT.code },
  ])
  expect(stakeId).toBeGreaterThan(0n)
  const owner = { type: 'address', value: ended.address }
  expect(await ended.read(token, 'balanceOf(address)', [owner])).toBe(1_000_000_000n)
})

test('[EARN-12, ERR-02] a claim of capital that fails', async ({ visit }) => {
  const { page } = await visit({
    as: endedFrozen,
    wallet: 'absent',
    path: '/dashboard',
    tolerates: FAILED_CALLS,
  })
  const button = earningCard(page, SHORT.code).getByRole('button', { name: 'Claim Capital' })
  await expect(button).toBeVisible()
  for (const provoke of [breakDown, cutOff]) {
    await provoke(page, '/api/user/request-claim')
    await button.click()
    await expect(toast(page, 'Failed to request claim capital.')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.unrouteAll()
  }
  await refuse(page, '/api/user/request-claim', 'The lock period of this plan is not over yet.')
  await button.click()
  await expect(toast(page, 'The lock period of this plan is not over yet.')).toBeVisible()
})

test('[STATE-14] once the fee is paid the earning is no longer frozen', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ as: frozen, wallet: 'absent', path: '/dashboard' })
  await expect(status(page, 'PLAN-720')).toHaveText('Freeze')
  await paid(product, frozen, await openFee(frozen, 'PLAN-720'))
  await expect(status(page, 'PLAN-720')).toHaveText('Active')
})
