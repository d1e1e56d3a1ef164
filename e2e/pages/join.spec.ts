import type { Page } from '@playwright/test'
import { callsOf } from '../support/calls.ts'
import { sentToContracts } from '../support/chain-calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import {
  dismissToast,
  fillJoin,
  joinForm,
  joinReview,
  overlay,
  pressJoin,
  tab,
  textOf,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { offerPlans, RESERVE } from './support/joining.ts'
import { addressOfRole, expect, test } from './support/test.ts'

const JOIN = { as: 'user', wallet: 'connected', path: '/dashboard?tab=join' } as const
const RECORD_PATH = '/api/user/earnings'

async function fillIn(page: Page, amount: string) {
  await fillJoin(page, { plan: 'PLAN-720', amount })
  await untilLoaded(page)
}
const sent = (page: Parameters<typeof sentToContracts>[0]) =>
  sentToContracts(page).map(({ name }) => name)

test('[JOIN-23, JOIN-24] an allowance that is too small is approved again; with one of exactly what is needed, or of more, there is no new approval', async ({
  visit,
  world,
}) => {
  for (const [allowance, calls] of [
    [19_999_999n, ['approve', 'joinStake']],
    [20_000_000n, ['joinStake']],
    [35_000_000n, ['joinStake']],
  ] as const) {
    offerPlans(world)
    world.chain.account.allowance = allowance
    const visited = await visit(JOIN)
    await fillIn(visited.page, '20')
    await pressJoin(visited.page)
    await expect(toast(visited.page, 'You joined PLAN-720: 20 DCT are locked.')).toBeVisible()
    expect(sent(visited.calls)).toEqual(calls)
    expect(sentToContracts(visited.calls).at(-1)?.args).toEqual([20_000_000n, 'PLAN-720', 720n])
    expect(visited.wallet.asked).toEqual(calls.map(() => ({ what: 'sign' })))
    expect(callsOf(visited.calls, 'POST', RECORD_PATH)).toHaveLength(1)
  }
})

test('[JOIN-25] a lock that was not signed is not recorded', async ({ visit, world }) => {
  offerPlans(world)
  const { page, calls, wallet } = await visit(JOIN)
  wallet.answerBy(() => (wallet.asked.length > 1 ? 'no' : 'yes'))
  await fillIn(page, '20')
  await pressJoin(page)
  await expect(toast(page, /^You declined the request/)).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)
  expect(sent(calls)).toEqual(['approve'])
  expect(callsOf(calls, 'POST', RECORD_PATH)).toEqual([])
  await expect(tab(page, 'Join Earning Plan')).toBeVisible()
})

test('[JOIN-25] a lock that failed on chain is not recorded', async ({ visit, world }) => {
  offerPlans(world)
  world.chain.fate.joinStake = 'failed'
  const { page, calls } = await visit(JOIN)
  await fillIn(page, '20')
  await pressJoin(page)
  await expect(toast(page, /^The transaction failed on the blockchain/)).toBeVisible()
  expect(sent(calls)).toEqual(['approve', 'joinStake'])
  expect(callsOf(calls, 'POST', RECORD_PATH)).toEqual([])
})

/** Whether the overlay covers the whole visible page. */
function isCovered(page: Page): Promise<boolean> {
  return page.locator('.tx-overlay').evaluate((cover) => {
    const { left, top, right, bottom } = cover.getBoundingClientRect()
    const page = document.body.getBoundingClientRect()
    const isWide = left <= 0 && right >= page.right
    return isWide && top <= 0 && bottom >= innerHeight && getComputedStyle(cover).opacity === '1'
  })
}

test('[JOIN-27, JOIN-28, JOIN-29, JOIN-30, JOIN-31, JOIN-32] the overlay counts down from 180 seconds and then shows a message', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page, wallet } = await visit({ ...JOIN, hasOwnClock: true })
  wallet.answerBy(() => 'nothing')
  await fillIn(page, '20')
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await pressJoin(page)
  const cover = overlay(page)
  await expect(cover.getByText('Remaining time: 180 seconds', { exact: true })).toBeVisible()
  await expect(cover.getByText('Waiting for the transaction...', { exact: true })).toBeVisible()
  await expect(cover.getByRole('log', { name: 'Transaction log' })).toContainText(
    'Checking the quota.',
  )
  await expect(async () => {
    await page.clock.runFor(100)
    expect(await isCovered(page)).toBe(true)
  }).toPass()

  const time = cover.getByText(/^Remaining time: \d+ seconds$/)
  const secondsLeft = async () => Number(/\d+/.exec(await textOf(time))?.[0])
  const start = await secondsLeft()
  for (const passed of [1, 2, 3]) {
    await page.clock.runFor(1_000)
    expect(await secondsLeft()).toBe(start - passed)
  }
  await page.clock.runFor((start - 3 - 1) * 1_000)
  expect(await secondsLeft()).toBeLessThanOrEqual(1)
  await expect(cover.getByText('Transaction TIMEOUT!')).toHaveCount(0)
  await page.clock.runFor(1_000)
  await expect(cover.getByText('Remaining time: 0 seconds', { exact: true })).toBeVisible()
  await expect(
    cover.getByRole('log').getByText('Transaction TIMEOUT!', { exact: true }),
  ).toBeVisible()
  await expect(toast(page, 'Transaction timeout. Please try again.')).toBeVisible()
})

test('[JOIN-34] a failed join shows the server’s message, or the fallback', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page } = await visit({ ...JOIN, tolerates: FAILED_CALLS })
  await fillIn(page, '20')
  const failed = 'An error occurs when joining the plan.'
  world.breakDown(RESERVE)
  await pressJoin(page)
  await expect(toast(page, failed)).toBeVisible()
  await dismissToast(page, failed)
  await page.route('**/PLAN-720/reserve', (route) => route.abort())
  await pressJoin(page)
  await expect(toast(page, failed)).toBeVisible()
  await dismissToast(page, failed)
  await page.unrouteAll()
  world.say(RESERVE, 'A message from the server.')
  await pressJoin(page)
  await expect(toast(page, 'A message from the server.')).toBeVisible()
})

test('[T099] rapid clicks on Join send one lock', async ({ visit, world }) => {
  offerPlans(world)
  const { page, calls, toasts } = await visit(JOIN)
  await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
  for (const button of [joinForm(page).join, joinReview(page).confirm]) {
    await expect(button).toBeEnabled()
    // Five times before the page can render anything, and five times right after.
    await button.evaluate((element: HTMLElement) => {
      for (let click = 0; click < 5; click += 1) element.click()
      for (let click = 1; click <= 5; click += 1) setTimeout(() => element.click(), click * 10)
    })
  }
  await expect.poll(() => toasts).toEqual(['You joined PLAN-360: 10 DCT are locked.'])
  await expect(overlay(page)).toHaveCount(0)
  expect(sent(calls)).toEqual(['approve', 'joinStake'])
  expect(callsOf(calls, 'POST', RECORD_PATH)).toHaveLength(1)
})

test('[T098] after the wallet switches to another account, the page shows a message and sends nothing for the wrong user', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page, calls, wallet } = await visit(JOIN)
  await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
  const other = page.getByText('but you are logged in as')
  await expect(other).toHaveCount(0)
  await wallet.showAccount(addressOfRole('admin'))
  await expect(other.first()).toBeVisible()
  await joinForm(page).join.click()
  await expect(toast(page, /Switch the account in the wallet first/)).toBeVisible()
  expect(sent(calls)).toEqual([])
  expect(callsOf(calls, 'POST', '/api/user/earning-plans/PLAN-360/reserve')).toEqual([])
  await wallet.showAccount(addressOfRole('user'))
  await expect(other).toHaveCount(0)
  await pressJoin(page)
  await expect(toast(page, 'You joined PLAN-360: 10 DCT are locked.')).toBeVisible()
})

test('TRX for energy but not for bandwidth: the page shows the required and the available amount, and sends nothing', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  // 20,000 energy plus a fifth, at 100 sun each, and 352 bytes at 1,000 sun each.
  Object.assign(world.chain.account, { trx: 2_700_000, freeBandwidth: 300 })
  const { page, calls, wallet } = await visit(JOIN)
  await fillIn(page, '10')
  await pressJoin(page)
  const words =
    'This transaction needs up to 2.752000 TRX for energy and bandwidth, but the wallet holds only 2.700000 TRX. It was not sent.'
  await expect(toast(page, words)).toBeVisible()
  expect(wallet.asked).toEqual([])
  expect(sent(calls)).toEqual([])
  expect(callsOf(calls, 'POST', RECORD_PATH)).toEqual([])
})

test('once its 180 seconds are over, a join from another device is shown without an overlay', async ({
  visit,
  world,
}) => {
  const { held, earning } = offerPlans(world)
  held.push({ ...earning, is_hash_confirmed: 'WAITING', waited_seconds: 181 })
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  await expect(
    page.getByText('was sent more than 180 seconds ago and is still being checked.'),
  ).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)
})
