import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, callsOf, queryOf } from '../support/calls.ts'
import { alter, answer, breakDown, FAILED_CALLS } from '../support/provoke.ts'
import { joined, PLAN_720 } from '../support/scenes.ts'
import {
  dismissToast,
  fillJoin,
  joinForm,
  overlay,
  pressJoin,
  tab,
  toast,
  toastArea,
  untilLoaded,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { rejectInWallet, walletQuestion } from '../support/wallet.ts'

const QUOTA_PATH = '/api/user/earning-plans/PLAN-720/check-quota'
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

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  const plan = { durationDays: 360, totalPercentage: '72' }
  await product.createPlan({ ...plan, code: 'NARROW-DAY', totalReward: '500', dailyLimit: '7.2' })
  await product.createPlan({ ...plan, code: 'NARROW-YEAR', totalReward: '7.2', dailyLimit: '100' })
})

/** Presses "Join" and waits for the message; no other message may be shown, and nothing sent or recorded. */
async function expectRefused(page: Page, calls: readonly Call[], text: string) {
  await joinForm(page).join.click()
  await expect(toast(page, text)).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)
  await expect(toastArea(page).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(walletQuestion(page, 'Sign this transaction')).toHaveCount(0)
  expect(callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction')).toEqual([])
  expect(callsOf(calls, 'POST', '/api/user/earnings')).toEqual([])
}

test('[JOIN-01, JOIN-02, JOIN-03, JOIN-04, JOIN-05, JOIN-06, JOIN-08] the form with its plans and quotas', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: holder, wallet: 'absent', path: '/dashboard' })
  await tab(page, 'Join Earning Plan').click()
  const form = joinForm(page)
  await expect(form.plan.getByRole('option', { name: 'Plan 360 - 360 (72.00%)' })).toHaveCount(1)
  await expect(form.plan.getByRole('option', { name: 'Plan 720 - 720 (216.00%)' })).toHaveCount(1)
  await expect(form.amount).toBeEditable()
  await expect(form.join).toHaveText('Join')
  await expect(form.join).toBeEnabled()
  const [plans] = callsOf(calls, 'GET', '/api/user/earning-plans')
  expect(queryOf(plans)).toMatchObject({
    page: '1',
    limit: '10',
    sort_by: 'created_at',
    sort_order: 'desc',
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
}) => {
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
  })
  const form = joinForm(page)
  await untilLoaded(page)
  await expectRefused(page, calls, TEXTS.incomplete)
  await form.amount.fill('20')
  await expectRefused(page, calls, TEXTS.incomplete)
  await fillJoin(page, { plan: 'PLAN-360', amount: '' })
  await expectRefused(page, calls, TEXTS.incomplete)
  for (const amount of ['0', '-5', '0.000000']) {
    await form.amount.fill(amount)
    await expectRefused(page, calls, TEXTS.notPositive)
  }
  for (const amount of ['9.99', '50.01', '9.999999', '1000']) {
    await form.amount.fill(amount)
    await expectRefused(page, calls, TEXTS.outOfRange)
  }

  await fillJoin(page, { plan: 'NARROW-DAY', amount: '10.01' })
  await untilLoaded(page)
  await expectRefused(
    page,
    calls,
    'The estimated reward (7.207200 DCT) exceeds the remaining daily quota (7.200000 DCT)!',
  )
  await fillJoin(page, { plan: 'NARROW-YEAR', amount: '50' })
  await untilLoaded(page)
  await expectRefused(
    page,
    calls,
    'The estimated reward (36.000000 DCT) exceeds the remaining daily quota (7.200000 DCT)!',
  )
})

test('[JOIN-13] exactly 10 and exactly 50 DCT are accepted', async ({ visit, product }) => {
  const person = await product.holder()
  const { page, calls, toasts } = await visit({
    as: person,
    wallet: 'asking',
    path: '/dashboard?tab=join',
  })
  await joinForm(page).plan.selectOption('PLAN-360')
  for (const amount of ['10', '50']) {
    toasts.length = 0
    await joinForm(page).amount.fill(amount)
    await untilLoaded(page)
    await pressJoin(page)
    await expect(walletQuestion(page, 'Sign this transaction')).toContainText(
      `approve(Staking (${product.info.tron.staking}), ${amount}000000)`,
    )
    await rejectInWallet(page, 'Sign this transaction')
    await expect(toast(page, /^You declined the request/)).toBeVisible()
    expect(toasts).toEqual([expect.stringMatching(/^You declined the request/)])
    await dismissToast(page, 'You declined the request')
  }
  expect(callsOf(calls, 'POST', '/api/user/earnings')).toEqual([])
})

test('[JOIN-07, JOIN-10, JOIN-26] a plan that was joined on another device cannot be joined again', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const { page } = await visit({ as: person, wallet: 'asking', path: '/dashboard?tab=join' })
  const form = joinForm(page)
  await fillJoin(page, { plan: 'PLAN-360', amount: '20' })
  await untilLoaded(page)
  await joined(product, person)

  await form.plan.selectOption('PLAN-720')
  await expect(toast(page, TEXTS.followed)).toBeVisible()
  await expect(form.join).toHaveText('Have joined')
  await expect(form.join).toBeDisabled()
  await form.plan.selectOption('PLAN-360')
  await expect(form.join).toHaveText('Join')
  await expect(form.join).toBeEnabled()

  const again = await person.tryCall('POST', '/api/user/earning-plans/PLAN-720/reserve', {
    amount: '20',
  })
  expect(again).toMatchObject({ status: 409, body: { message: TEXTS.followed } })
  await expect(person.lock(PLAN_720, '20')).rejects.toThrow(/REVERT/)
})

test('[JOIN-14, JOIN-17] a reward equal to the remaining quota is accepted and uses it up', async ({
  visit,
  product,
}) => {
  const plan = { code: 'ONE-PLACE', durationDays: 360 }
  const terms = { totalPercentage: '72', totalReward: '14.4', dailyLimit: '7.2' }
  await product.createPlan({ ...plan, ...terms })
  const first = await product.holder()
  const winner = await visit({ as: first, path: '/dashboard?tab=join' })
  await fillJoin(winner.page, { plan: 'ONE-PLACE', amount: '10' })
  await untilLoaded(winner.page)
  await pressJoin(winner.page)
  await expect(toast(winner.page, 'You joined ONE-PLACE: 10 DCT are locked.')).toBeVisible()
  await product.settle()

  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=join' })
  await fillJoin(page, { plan: 'ONE-PLACE', amount: '10' })
  await untilLoaded(page)
  await expect(joinForm(page).dailyQuota).toHaveText('0.000000 DCT')
  await expectRefused(page, calls, TEXTS.dailyGone)
  await expect(joinForm(page).annualQuota).toHaveText('7.200000 DCT')
})

type Plans = { earning_plans: Record<string, unknown>[]; total: number }
const each = (change: (plan: Record<string, unknown>) => object) => (plans: Plans) => ({
  ...plans,
  earning_plans: plans.earning_plans.map(change),
})
const without = (field: string) => each(({ [field]: _left, ...plan }) => plan)
const withoutDays = each((plan) => ({ ...plan, duration_days: 0 }))

// The service creates no such plan, so its response is altered; unit tests cover the rules themselves.
test('plan data without percentage or duration is refused by the form', async ({ visit }) => {
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
    before: (fresh) => alter(fresh, '/api/user/earning-plans', without('total_percentage')),
  })
  await fillJoin(page, { plan: 'PLAN-720', amount: '20' })
  await untilLoaded(page)
  await expectRefused(page, calls, TEXTS.invalidPlan)
  for (const [change, text] of [
    [without('duration_days'), TEXTS.invalidPlan],
    [withoutDays, TEXTS.noDuration],
  ] as const) {
    await page.unrouteAll()
    await alter(page, '/api/user/earning-plans', change)
    await page.reload()
    await untilLoaded(page)
    await expectRefused(page, calls, text)
  }
})

test('[JOIN-11, JOIN-21] of several problems only the first is shown: whether the plan has been joined, then the wallet, then the amount', async ({
  visit,
}) => {
  const { page, calls } = await visit({
    as: holder,
    wallet: 'unconnected',
    path: '/dashboard?tab=join',
  })
  const form = joinForm(page)
  await untilLoaded(page)
  // No plan, no wallet, and an invalid amount.
  await form.amount.fill('0')
  await expectRefused(page, calls, TEXTS.incomplete)
  // No wallet, with invalid amounts and with a valid one.
  await form.plan.selectOption('PLAN-720')
  await untilLoaded(page)
  for (const amount of ['0', '-1', '20']) {
    await form.amount.fill(amount)
    await expectRefused(page, calls, TEXTS.noWallet)
  }
  // The service now reports that the plan has been joined, so the button is disabled before any other check.
  const followed = { earning_plan_code: 'PLAN-720', is_hash_confirmed: 'SUCCESS' }
  const earnings = { earnings: [followed], total: 1, totalPages: 1, page: 1, limit: 10 }
  await page.route(
    (url) => url.search.includes('earning_plan_code=PLAN-360'),
    (route) => route.fulfill({ json: earnings }),
  )
  await form.plan.selectOption('PLAN-360')
  await expect(toast(page, TEXTS.followed)).toBeVisible()
  await expect(form.join).toBeDisabled()
})

test('[JOIN-15, JOIN-21] checked in order: amount, quotas, plan, estimate', async ({ visit }) => {
  const nothingLeft = { remaining_daily_limit: '0.000000', remaining_annual_quota: '0.000000' }
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
    before: async (fresh) => {
      await answer(fresh, QUOTA_PATH, nothingLeft)
      await alter(fresh, '/api/user/earning-plans', without('total_percentage'))
    },
  })
  const form = joinForm(page)
  await form.plan.selectOption('PLAN-720')
  await untilLoaded(page)
  for (const [amount, quota, text] of [
    ['-1', nothingLeft, TEXTS.notPositive],
    ['5', nothingLeft, TEXTS.outOfRange],
    ['50', nothingLeft, TEXTS.dailyGone],
    ['50', { ...nothingLeft, remaining_daily_limit: '1' }, TEXTS.annualGone],
    ['50', { remaining_daily_limit: '1', remaining_annual_quota: '1' }, TEXTS.invalidPlan],
  ] as const) {
    await page.unroute((url) => url.pathname === QUOTA_PATH)
    await answer(page, QUOTA_PATH, quota)
    await form.amount.fill(amount)
    await expectRefused(page, calls, text)
  }
})

test('[JOIN-19, JOIN-21] checked in order: daily estimate, annual estimate, duration', async ({
  visit,
}) => {
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
    before: (fresh) => alter(fresh, '/api/user/earning-plans', withoutDays),
  })
  const form = joinForm(page)
  await fillJoin(page, { plan: 'PLAN-720', amount: '50' })
  await untilLoaded(page)
  for (const [daily, annual, text] of [
    ['1', '1', /exceeds the remaining daily quota/],
    ['108', '1', /exceeds the remaining annual quota/],
    ['108', '108', TEXTS.noDuration],
  ] as const) {
    await answer(page, QUOTA_PATH, {
      remaining_daily_limit: daily,
      remaining_annual_quota: annual,
    })
    await form.join.click()
    await expect(toast(page, text)).toBeVisible()
    await expect(overlay(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Dismiss' }).click()
  }
  expect(callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction')).toEqual([])
  expect(callsOf(calls, 'POST', '/api/user/earnings')).toEqual([])
})

test('[JOIN-33] a quota that cannot be fetched is unknown, and nothing starts', async ({
  visit,
}) => {
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
    tolerates: FAILED_CALLS,
  })
  await untilLoaded(page)
  await breakDown(page, QUOTA_PATH)
  await joinForm(page).plan.selectOption('PLAN-720')
  await expect(toast(page, TEXTS.quotaFailed)).toBeVisible()
  await expect(joinForm(page).dailyQuota).toHaveText('—')
  await joinForm(page).amount.fill('20')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expectRefused(page, calls, TEXTS.quotaFailed)
})
