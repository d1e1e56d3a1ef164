import type { EarningPlan, PlansReply } from '@dct/api-contract/plans'
import { callsOf, queryOf } from '../support/calls.ts'
import { sentToContracts } from '../support/chain-calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import {
  dismissToast,
  fillJoin,
  joinForm,
  overlay,
  pressJoin,
  tab,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { type Left, offerPlans } from './support/joining.ts'
import { expect, type PageVisit, test } from './support/test.ts'
import { recordedReply, type World } from './support/world.ts'

const PATH = '/dashboard?tab=join'
const PLANS = '/api/user/earning-plans'
const CHECK = 'GET /api/user/earning-plans/:code/check-quota'
const TEXTS = {
  incomplete: 'Please select an earning plan and enter the amount of token!',
  followed: "You have followed this plan, can't join again!",
  noWallet: "Tronlink hasn't been connected yet!Please connect the wallet first.",
  notPositive: 'The amount entered must be greater than 0!',
  outOfRange: 'The amount entered must be between 10 and 50 DCT!',
  dailyGone: 'The daily quota for this plan has run out.Try again tomorrow!',
  annualGone: "The annual quota for this plan has run out.Can't join.",
  invalidPlan: 'Plan data is invalid. Please refresh and try again.',
  noDuration: 'The duration of the earning plan was not found!',
  quotaFailed: 'There was an error when checking the quota. Try again later!',
} as const
const TERMS = { duration_days: 360, total_percentage: '72' }
/** Plans of which little is left: of the day, or of the whole. */
const NARROW = [
  { ...TERMS, plan_code: 'NARROW-DAY', name: 'NARROW-DAY' },
  { ...TERMS, plan_code: 'NARROW-YEAR', name: 'NARROW-YEAR' },
]
const NARROW_LEFT: [string, Left][] = [
  ['NARROW-DAY', { daily: '7.200000', annual: '500.000000' }],
  ['NARROW-YEAR', { daily: '7.200000', annual: '7.200000' }],
]

function offerNarrow(world: World) {
  const offer = offerPlans(world, NARROW)
  for (const [code, left] of NARROW_LEFT) offer.left.set(code, left)
  return offer
}

/** Presses "Join" and waits for the message; no other message may be shown, and nothing asked, sent or recorded. */
async function expectRefused({ page, calls, toasts, wallet }: PageVisit, text: string | RegExp) {
  toasts.length = 0
  await joinForm(page).join.click()
  await expect
    .poll(() => toasts)
    .toEqual([typeof text === 'string' ? text : expect.stringMatching(text)])
  await expect(overlay(page)).toHaveCount(0)
  await dismissToast(page, '')
  expect(wallet.asked).toEqual([])
  expect(callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction')).toEqual([])
  expect(callsOf(calls, 'POST', '/api/user/earnings')).toEqual([])
}

test('[JOIN-01, JOIN-02, JOIN-03, JOIN-04, JOIN-05, JOIN-06, JOIN-08] the form with its plans and quotas', async ({
  visit,
  world,
}) => {
  offerNarrow(world)
  const { page, calls } = await visit({ as: 'user', path: '/dashboard' })
  await tab(page, 'Join Earning Plan').click()
  const form = joinForm(page)
  await expect(form.plan.getByRole('option', { name: 'Plan 360 - 360 (72.00%)' })).toHaveCount(1)
  await expect(form.plan.getByRole('option', { name: 'Plan 720 - 720 (216.00%)' })).toHaveCount(1)
  await expect(form.amount).toBeEditable()
  await expect(form.join).toHaveText('Join')
  await expect(form.join).toBeEnabled()
  expect(queryOf(callsOf(calls, 'GET', PLANS)[0])).toMatchObject({
    ...{ page: '1', limit: '10', sort_by: 'created_at', sort_order: 'desc' },
  })
  await form.plan.selectOption('NARROW-YEAR')
  await expect(form.dailyQuota).toHaveText('7.200000 DCT')
  await expect(form.annualQuota).toHaveText('7.200000 DCT')
  await expect(form.panel).toContainText('10.000000 DCT can still be locked.')
  await form.plan.selectOption('NARROW-DAY')
  await expect(form.dailyQuota).toHaveText('7.200000 DCT')
  await expect(form.annualQuota).toHaveText('500.000000 DCT')
})

test('[JOIN-09, JOIN-12, JOIN-13, JOIN-17, JOIN-18] plan, amount, and the estimated reward compared with the remaining quota, are checked before anything else happens', async ({
  visit,
  world,
}) => {
  offerNarrow(world)
  const visited = await visit({ as: 'user', wallet: 'connected', path: PATH })
  const { page } = visited
  const form = joinForm(page)
  await untilLoaded(page)
  await expectRefused(visited, TEXTS.incomplete)
  await form.amount.fill('20')
  await expectRefused(visited, TEXTS.incomplete)
  await fillJoin(page, { plan: 'PLAN-360', amount: '' })
  await expectRefused(visited, TEXTS.incomplete)
  for (const amount of ['0', '-5', '0.000000']) {
    await form.amount.fill(amount)
    await expectRefused(visited, TEXTS.notPositive)
  }
  for (const amount of ['9.99', '50.01', '9.999999', '1000']) {
    await form.amount.fill(amount)
    await expectRefused(visited, TEXTS.outOfRange)
  }
  for (const [plan, amount, reward] of [
    ['NARROW-DAY', '10.01', '7.207200'],
    ['NARROW-YEAR', '50', '36.000000'],
  ] as const) {
    await fillJoin(page, { plan, amount })
    await untilLoaded(page)
    const words = `The estimated reward (${reward} DCT) exceeds the remaining daily quota (7.200000 DCT)!`
    await expectRefused(visited, words)
  }
})

test('[JOIN-13, JOIN-14, JOIN-17] exactly 10 and exactly 50 DCT are accepted, and a reward equal to the remaining quota is, too', async ({
  visit,
  world,
}) => {
  offerNarrow(world)
  const { page, calls, toasts, wallet } = await visit({
    ...{ as: 'user', wallet: 'connected', path: PATH },
  })
  wallet.answerBy(() => 'no')
  for (const [plan, amount] of [
    ['PLAN-360', '10'],
    ['PLAN-360', '50'],
    ['NARROW-DAY', '10'],
  ] as const) {
    toasts.length = 0
    wallet.asked.length = 0
    await fillJoin(page, { plan, amount })
    await untilLoaded(page)
    await pressJoin(page)
    await expect(toast(page, /^You declined the request/)).toBeVisible()
    expect(wallet.asked).toEqual([{ what: 'sign' }])
    expect(toasts).toEqual([expect.stringMatching(/^You declined the request/)])
    await dismissToast(page, 'You declined the request')
  }
  expect(sentToContracts(calls)).toEqual([])
  expect(callsOf(calls, 'POST', '/api/user/earnings')).toEqual([])
})

test('[JOIN-07, JOIN-10] a plan that was joined on another device cannot be joined again', async ({
  visit,
  world,
}) => {
  const { held, earning } = offerPlans(world)
  const { page } = await visit({ as: 'user', wallet: 'connected', path: PATH })
  const form = joinForm(page)
  await fillJoin(page, { plan: 'PLAN-360', amount: '20' })
  await untilLoaded(page)
  held.push({ ...earning, earning_plan_code: 'PLAN-720' })
  await form.plan.selectOption('PLAN-720')
  await expect(toast(page, TEXTS.followed)).toBeVisible()
  await expect(form.join).toHaveText('Have joined')
  await expect(form.join).toBeDisabled()
  await form.plan.selectOption('PLAN-360')
  await expect(form.join).toHaveText('Join')
  await expect(form.join).toBeEnabled()
})

/** Changes all plans; the service creates none like that, so the reply is not one of its schema. */
function changePlans(world: World, change: (plan: EarningPlan) => object): void {
  const reply = recordedReply<PlansReply>('GET /api/user/earning-plans')
  const plans = reply.earning_plans.map(change)
  const text = JSON.stringify({ ...reply, earning_plans: plans, plans })
  world.answer('GET /api/user/earning-plans', { status: 200, text })
}
const without =
  (field: keyof EarningPlan) =>
  ({ [field]: _left, ...plan }: EarningPlan) =>
    plan
const withoutDays = (plan: EarningPlan) => ({ ...plan, duration_days: 0 })

test('plan data without percentage or duration is refused by the form', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  changePlans(world, without('total_percentage'))
  const visited = await visit({ as: 'user', wallet: 'connected', path: PATH })
  const { page } = visited
  await fillJoin(page, { plan: 'PLAN-720', amount: '20' })
  await untilLoaded(page)
  await expectRefused(visited, TEXTS.invalidPlan)
  for (const [change, text] of [
    [without('duration_days'), TEXTS.invalidPlan],
    [withoutDays, TEXTS.noDuration],
  ] as const) {
    changePlans(world, change)
    await page.reload()
    await untilLoaded(page)
    await expectRefused(visited, text)
  }
})

test('[JOIN-11, JOIN-21] of several problems only the first is shown: whether the plan has been joined, then the wallet, then the amount', async ({
  visit,
  world,
}) => {
  const { held, earning } = offerPlans(world)
  const visited = await visit({ as: 'user', wallet: 'unconnected', path: PATH })
  const { page } = visited
  const form = joinForm(page)
  await untilLoaded(page)
  // No plan, no wallet, and an invalid amount.
  await form.amount.fill('0')
  await expectRefused(visited, TEXTS.incomplete)
  // No wallet, with invalid amounts and with a valid one.
  await form.plan.selectOption('PLAN-720')
  await untilLoaded(page)
  for (const amount of ['0', '-1', '20']) {
    await form.amount.fill(amount)
    await expectRefused(visited, TEXTS.noWallet)
  }
  // The service now reports that the plan has been joined, so the button is disabled before any other check.
  held.push({ ...earning, earning_plan_code: 'PLAN-360' })
  await form.plan.selectOption('PLAN-360')
  await expect(toast(page, TEXTS.followed)).toBeVisible()
  await expect(form.join).toBeDisabled()
})

test('[JOIN-14, JOIN-15, JOIN-19, JOIN-21] checked in order: amount, quotas, plan, daily estimate, annual estimate, duration', async ({
  visit,
  world,
}) => {
  const { left } = offerPlans(world)
  const none = { daily: '0.000000', annual: '0.000000' }
  left.set('PLAN-720', none)
  changePlans(world, without('total_percentage'))
  const visited = await visit({ as: 'user', wallet: 'connected', path: PATH })
  const { page } = visited
  const form = joinForm(page)
  await form.plan.selectOption('PLAN-720')
  await untilLoaded(page)
  await expect(form.dailyQuota).toHaveText('0.000000 DCT')
  for (const [amount, quota, text] of [
    ['-1', none, TEXTS.notPositive],
    ['5', none, TEXTS.outOfRange],
    ['50', none, TEXTS.dailyGone],
    ['50', { ...none, daily: '1.000000' }, TEXTS.annualGone],
    ['50', { daily: '1.000000', annual: '1.000000' }, TEXTS.invalidPlan],
  ] as const) {
    left.set('PLAN-720', quota)
    await form.amount.fill(amount)
    await expectRefused(visited, text)
  }
  for (const [daily, annual, text] of [
    ['1.000000', '1.000000', /exceeds the remaining daily quota/],
    ['108.000000', '1.000000', /exceeds the remaining annual quota/],
    ['108.000000', '108.000000', TEXTS.noDuration],
  ] as const) {
    left.set('PLAN-720', { daily, annual })
    changePlans(world, withoutDays)
    await page.reload()
    await fillJoin(page, { plan: 'PLAN-720', amount: '50' })
    await untilLoaded(page)
    await expectRefused(visited, text)
  }
})

test('[JOIN-33] a quota that cannot be fetched is unknown, and nothing starts', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const visited = await visit({
    ...{ as: 'user', wallet: 'connected', path: PATH, tolerates: FAILED_CALLS },
  })
  const { page } = visited
  await untilLoaded(page)
  world.breakDown(CHECK)
  await joinForm(page).plan.selectOption('PLAN-720')
  await expect(toast(page, TEXTS.quotaFailed)).toBeVisible()
  await expect(joinForm(page).dailyQuota).toHaveText('—')
  await joinForm(page).amount.fill('20')
  await dismissToast(page, TEXTS.quotaFailed.slice(0, 20))
  await expectRefused(visited, TEXTS.quotaFailed)
})
