import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, callsOf } from '../support/calls.ts'
import { argumentOf, readFromContracts, sentToContracts } from '../support/chain-calls.ts'
import { breakDown, cutOff, FAILED_CALLS, refuse } from '../support/provoke.ts'
import {
  earningCard,
  fillJoin,
  overlay,
  pressJoin,
  tab,
  textOf,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet, rejectInWallet, walletQuestion } from '../support/wallet.ts'

const RECORD_PATH = '/api/user/earnings'
const SIGN = 'Sign this transaction'

async function fillIn(page: Page, amount: string) {
  await fillJoin(page, { plan: 'PLAN-720', amount })
  await untilLoaded(page)
}

/** The steps of a join, derived from its calls, in the order of their first occurrence. */
function stepsOf(calls: readonly Call[], since: number): string[] {
  const names = calls.slice(since).flatMap((call) => {
    if (call.path.endsWith('/check-quota')) return ['check quota']
    if (call.method === 'POST' && call.path === RECORD_PATH) return ['record']
    const [read] = readFromContracts([call])
    if (read && /^(decimals|allowance)\(/.test(read.selector)) return [read.selector]
    return sentToContracts([call]).map(({ name }) => name)
  })
  return [...new Set(names)]
}

/** Collects the URLs of all Tron nodes that the page calls from now on. */
function tronNodesOf(page: Page): Set<string> {
  const nodes = new Set<string>()
  page.on('request', (request) => {
    const [node, path] = request.url().split(/\/wallet(?:solidity)?\//)
    if (node !== undefined && path !== undefined) nodes.add(node)
  })
  return nodes
}

test('[JOIN-22, JOIN-23, JOIN-25, JOIN-27, CHAIN-03, CHAIN-04, CHAIN-06, CHAIN-09, CHAIN-15, CHAIN-16, API-56] a join with all of its calls, in order', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=join' })
  await fillIn(page, '12.5')
  const nodes = tronNodesOf(page)
  const since = calls.length
  await pressJoin(page)
  await expect(overlay(page)).toBeVisible()
  await expect(toast(page, 'You joined PLAN-720: 12.5 DCT are locked.')).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)

  expect(stepsOf(calls, since)).toEqual([
    'check quota',
    'decimals()',
    'allowance(address,address)',
    'approve',
    'joinStake',
    'record',
  ])
  expect([...nodes]).toEqual([`${product.url}/tron`])
  const { token, staking } = product.info.tron
  expect(sentToContracts(calls)).toEqual([
    { to: token, name: 'approve', args: [staking, 12_500_000n] },
    { to: staking, name: 'joinStake', args: [12_500_000n, 'PLAN-720', 720n] },
  ])
  const allowance = readFromContracts(calls).find(({ selector }) => selector.startsWith('allow'))
  expect(allowance?.to).toBe(token)
  const words = [holder.address, staking].map((address) => `.{24}${argumentOf(address)}`)
  expect(allowance?.args).toMatch(new RegExp(`^${words.join('')}$`))

  const [record] = callsOf(calls, 'POST', RECORD_PATH)
  const [, lock] = callsOf(calls, 'POST', '/tron/wallet/broadcasttransaction')
  expect(record?.body).toEqual({
    plan_code: 'PLAN-720',
    amount: '12.5',
    trx_hash: lock?.body.txID,
  })
  const asked = callsOf(calls, 'POST', '/tron/wallet/gettransactioninfobyid')
  expect(asked.map(({ body }) => body.value)).toContain(lock?.body.txID)
  await product.settle()
  await expectEarning(holder, { total_locked_amount: '12.500000', is_hash_confirmed: 'SUCCESS' })
  await expect(earningCard(page, 'PLAN-720')).toContainText('Active')
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Tokens locked' })).toContainText(
    '−12.5',
  )
  await expect(page.getByRole('main')).toContainText('You joined PLAN-720: 12.5 DCT are locked.')
})

async function expectEarning(holder: OutsideHolder, facts: Record<string, unknown>) {
  const { earnings } = await holder.call<{ earnings: object[] }>('GET', RECORD_PATH)
  expect(earnings).toEqual([expect.objectContaining(facts)])
}

for (const [how, allowance] of [
  ['exactly what is needed', '20'],
  ['more than is needed', '35'],
] as const) {
  test(`[JOIN-24] with an allowance of ${how} there is no new approval`, async ({
    visit,
    product,
  }) => {
    const holder = await product.holder()
    await holder.approve(product.info.tron.staking, allowance)
    const { page, calls } = await visit({
      as: holder,
      wallet: 'asking',
      path: '/dashboard?tab=join',
    })
    await fillIn(page, '20')
    await pressJoin(page)
    await approveInWallet(page, SIGN, 'joinStake(20000000, PLAN-720, 720)')
    await expect(toast(page, 'You joined PLAN-720: 20 DCT are locked.')).toBeVisible()
    expect(sentToContracts(calls).map(({ name }) => name)).toEqual(['joinStake'])
  })
}

test('[JOIN-23] an allowance slightly too small is approved again', async ({ visit, product }) => {
  const holder = await product.holder()
  await holder.approve(product.info.tron.staking, '19.999999')
  const { page, calls } = await visit({ as: holder, path: '/dashboard?tab=join' })
  await fillIn(page, '20')
  await pressJoin(page)
  await expect(toast(page, 'You joined PLAN-720: 20 DCT are locked.')).toBeVisible()
  expect(sentToContracts(calls).map(({ name }) => name)).toEqual(['approve', 'joinStake'])
})

test('[JOIN-25] a lock that was not signed is not recorded', async ({ visit, product }) => {
  const holder = await product.holder()
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
  })
  await fillIn(page, '20')
  await pressJoin(page)
  await approveInWallet(page, SIGN, 'approve(')
  await expect(walletQuestion(page, SIGN)).toContainText('joinStake(')
  await rejectInWallet(page, SIGN)
  await expect(overlay(page)).toHaveCount(0)
  await expect(toast(page, /^You declined the request/)).toBeVisible()
  expect(callsOf(calls, 'POST', RECORD_PATH)).toEqual([])
  await expect(tab(page, 'Join Earning Plan')).toBeVisible()
})

test('[JOIN-25] a lock that failed on chain is not recorded', async ({ visit, product }) => {
  const holder = await product.holder()
  await holder.approve(product.info.tron.staking, '20')
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
  })
  await fillIn(page, '20')
  await pressJoin(page)
  await expect(walletQuestion(page, SIGN)).toContainText('joinStake(')
  // Revoking the allowance while the wallet asks makes the lock fail on chain although its simulation succeeded.
  await holder.approve(product.info.tron.staking, '0')
  await approveInWallet(page, SIGN, 'joinStake(')
  await expect(toast(page, /^The transaction failed on the blockchain: /)).toBeVisible()
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

test('[JOIN-27, JOIN-28, JOIN-29, JOIN-30, JOIN-31, JOIN-32] the overlay counts down 180 seconds and then shows a message', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
    before: (fresh) => fresh.clock.install(),
  })
  await fillIn(page, '20')
  await pressJoin(page)
  await expect(walletQuestion(page, SIGN)).toBeVisible()
  const cover = overlay(page)
  await expect(cover.getByText('Waiting for the transaction...', { exact: true })).toBeVisible()
  await expect(cover.getByRole('log', { name: 'Transaction log' })).toContainText(
    'Checking the quota.',
  )
  expect(await isCovered(page)).toBe(true)

  const time = cover.getByText(/^Remaining time: \d+ seconds$/)
  const secondsLeft = async () => Number(/\d+/.exec(await textOf(time))?.[0])
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  const start = await secondsLeft()
  expect(start).toBeGreaterThan(110)
  expect(start).toBeLessThanOrEqual(180)
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

test('[JOIN-29] the countdown starts at 180 seconds', async ({ visit, product }) => {
  const holder = await product.holder()
  const { page } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
    before: (fresh) => fresh.clock.install(),
  })
  await fillIn(page, '20')
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await pressJoin(page)
  await expect(
    overlay(page).getByText('Remaining time: 180 seconds', { exact: true }),
  ).toBeVisible()
})

test('a reload while the lock is in flight is harmless', async ({ visit, product }) => {
  const holder = await product.holder()
  const { page, calls } = await visit({
    as: holder,
    wallet: 'asking',
    path: '/dashboard?tab=join',
    tolerates: FAILED_CALLS,
  })
  await fillIn(page, '20')
  await pressJoin(page)
  await approveInWallet(page, SIGN, 'approve(')
  await expect(walletQuestion(page, SIGN)).toContainText('joinStake(')
  // The node accepts the lock but forwards it late, so that the lock is unknown until after the reload.
  let forward = async (): Promise<unknown> => undefined
  await page.route('**/wallet/broadcasttransaction', async (route) => {
    const lock = route.request()
    const data = lock.postDataJSON()
    forward = () => page.request.post(lock.url(), { data })
    await route.fulfill({ json: { result: true, txid: data.txID } })
  })
  await approveInWallet(page, SIGN, 'joinStake(')
  await expect.poll(() => sentToContracts(calls).length).toBe(2)
  await page.reload()
  await expect(overlay(page)).toBeVisible()
  await expect(overlay(page).getByRole('log')).toContainText('Resuming after the reload')
  await forward()
  await expect(toast(page, 'You joined PLAN-720: 20 DCT are locked.')).toBeVisible()
  expect(callsOf(calls, 'POST', RECORD_PATH)).toHaveLength(1)
})

test('[JOIN-34] a failed join shows the server’s message, or the fallback', async ({
  visit,
  product,
}) => {
  const poor = await product.holder({ assets: { dct: '5' } })
  const { page } = await visit({
    as: poor,
    path: '/dashboard?tab=join',
    tolerates: FAILED_CALLS,
  })
  await fillIn(page, '20')
  await pressJoin(page)
  await expect(
    toast(page, /^Your wallet holds 5.000000 DCT, which is less than the amount/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  for (const provoke of [breakDown, cutOff]) {
    await provoke(page, '/api/user/earning-plans/PLAN-720/reserve')
    await pressJoin(page)
    await expect(toast(page, 'An error occurs when joining the plan.')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.unrouteAll()
  }
  await refuse(page, '/api/user/earning-plans/PLAN-720/reserve', 'A message from the server.')
  await pressJoin(page)
  await expect(toast(page, 'A message from the server.')).toBeVisible()
})
