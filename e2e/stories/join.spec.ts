import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, callsOf } from '../support/calls.ts'
import { argumentOf, readFromContracts, sentToContracts } from '../support/chain-calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import {
  earningCard,
  fillJoin,
  overlay,
  pressJoin,
  toast,
  untilLoaded,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet, walletQuestion } from '../support/wallet.ts'

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

test('[JOIN-34] a wallet with too little DCT, or with too little TRX for the bandwidth, is told so and sends nothing', async ({
  visit,
  product,
}) => {
  const poor = await product.holder({ assets: { dct: '5' } })
  const first = await visit({ as: poor, path: '/dashboard?tab=join', tolerates: FAILED_CALLS })
  await fillIn(first.page, '20')
  await pressJoin(first.page)
  await expect(
    toast(first.page, /^Your wallet holds 5.000000 DCT, which is less than the amount/),
  ).toBeVisible()
  expect(sentToContracts(first.calls)).toEqual([])

  const lean = await product.holder({ assets: { trx: '3.000001' } })
  // Uses up so much of the day's free bandwidth that too little is left for an approval.
  const [other] = product.info.accounts
  await lean.tron.trx.sendTransaction(other?.tron_address ?? '', 1)
  const { page, calls } = await visit({ as: lean, path: '/dashboard?tab=join' })
  await fillIn(page, '10')
  await pressJoin(page)
  // 22,612 energy plus a fifth, at 100 sun each, and 352 bytes at 1,000 sun each.
  const words =
    'This transaction needs up to 3.065400 TRX for energy and bandwidth, but the wallet holds only 3.000000 TRX. It was not sent.'
  await expect(toast(page, words)).toBeVisible()
  expect(sentToContracts(calls)).toEqual([])
  expect(callsOf(calls, 'POST', RECORD_PATH)).toEqual([])
})
