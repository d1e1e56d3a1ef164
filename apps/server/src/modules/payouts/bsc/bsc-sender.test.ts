import { createEvmClient } from '@dct/chain-clients'
import { encodeCall } from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import { type BscKey, givenWalletWorld, newBscKey } from '../../../testing/fresh-sender-world.ts'
import { bscWatcherOf } from '../../../testing/payment-watchers.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
import {
  addressesOf,
  bscNodeOf,
  callBsc,
  mintUsdt,
  sendUsdt,
  tronNodeOf,
  usdtOf,
} from '../../../testing/sender-chains.ts'
import {
  adminDeps,
  attemptsOf,
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  RESTLESS,
  type SenderWorld,
} from '../../../testing/senders.ts'
import { account, balanceOf } from '../../ledger/index.ts'
import { explainOpenPayment } from '../explain-payment.ts'
import { createTransactionFeeLoop } from '../index.ts'
import { openPayments } from '../payments.queries.ts'
import { resumeSender } from './resume-sender.ts'

const host = useChainHost()
const USDT = 10n ** 18n

const database = useTestDatabase()
let proxy: FaultyProxy
let world: SenderWorld
/** The same world, with a lossy network. */
let shaky: SenderWorld
let wallet: BscKey
let receiver: Hex
let count = 0

beforeAll(async () => {
  proxy = await startFaultyProxy(host().bscUrl)
})
afterAll(() => proxy.stop())
/** Each test uses a new payout wallet, so that nonces do not depend on earlier tests. */
beforeEach(async () => {
  await wipe(database.db)
  proxy.setFaults(() => 'none')
  ;({ wallet, world } = await givenWalletWorld(database.db, host()))
  receiver = newBscKey().address
  shaky = { ...world, chains: { ...world.chains, bscUrl: proxy.url } }
  await host().control.finalize()
})

function givenPayout(amount = USDT) {
  count += 1
  return givenUsdtPayout(world, { to: receiver, amount, cause: `referral:${count}` })
}

const received = () => usdtOf(host(), receiver)
const alarmKinds = async () => (await openAlarms(database.db)).map(({ kind }) => kind)
const states = async (id: bigint) => (await attemptsOf(database.db, id)).map(({ state }) => state)

test('USDT is paid once, and booked when its transfer is final', async () => {
  const id = await givenPayout(5n * USDT)
  const sender = bscSenderOf(world)
  expect(await sender.step()).toBe(false)
  expect(await received()).toBe(5n * USDT)
  expect((await payoutRow(database.db, id)).state).toBe('sent')
  await runToEnd(world, sender)
  const row = await payoutRow(database.db, id)
  const [attempt, ...others] = await attemptsOf(database.db, id)
  expect(others).toEqual([])
  expect(attempt).toMatchObject({ state: 'confirmed', tx_hash: row.final_tx, nonce: 0n })
  expect(world.finals).toHaveLength(1)
  expect(await balanceOf(database.db, { asset: 'USDT', account: account.payout(id) })).toBe(0n)
})

test('[T071] two concurrent senders pay twenty payouts once each, with twenty nonces', async () => {
  const ids = []
  for (let at = 0; at < 20; at += 1) ids.push(await givenPayout())
  await Promise.all([runToEnd(world, bscSenderOf(world)), runToEnd(world, bscSenderOf(world))])
  expect(await received()).toBe(20n * USDT)
  for (const id of ids) expect(await states(id)).toEqual(['confirmed'])
  expect(await bscNodeOf(host()).nonceOf(wallet.address, 'latest')).toBe(20)
})

test('the fee of a transaction that two processes read at the same time is stored once, and neither fails', async () => {
  const id = await givenPayout()
  await runToEnd(world, bscSenderOf(world))
  const node = bscNodeOf(host())
  const bothRead = Promise.withResolvers<void>()
  let read = 0
  const waitsForOther = Object.assign(Object.create(node), {
    async status(hash: Hex) {
      const status = await node.receipt(hash)
      read += 1
      if (read === 2) bothRead.resolve()
      await bothRead.promise
      return status
    },
  })
  const loop = createTransactionFeeLoop({
    ...{ db: database.db, clock: world.clock, pauseMs: 0 },
    ...{ tron: { node: tronNodeOf(host()) }, bsc: { node: waitsForOther } },
  })
  expect(await Promise.all([loop.step(), loop.step()])).toEqual([false, false])
  expect(await loop.step()).toBe(true)
  const [attempt] = await attemptsOf(database.db, id)
  expect(attempt?.fee).toBeGreaterThan(0n)
})

test('[T070] despite lost answers and refused broadcasts, everybody is paid exactly once', async () => {
  const ids = []
  for (let at = 0; at < 8; at += 1) ids.push(await givenPayout())
  let calls = 0
  proxy.setFaults((request) => {
    if (!isBroadcast(request)) return 'none'
    calls += 1
    if (calls % 12 === 2) return 'busy'
    return calls % 3 === 0 ? 'lose-answer' : 'lose-request'
  })
  await runToEnd(shaky, bscSenderOf(shaky, { timing: RESTLESS }))
  for (const id of ids) expect(await states(id)).toEqual(['confirmed'])
  expect(await received()).toBe(8n * USDT)
})

test('[T072] a stuck payment is replaced at its own nonce for a higher price, up to the cap, and paid once', async () => {
  const id = await givenPayout()
  const price = await bscNodeOf(host()).gasPrice()
  const sender = bscSenderOf(shaky, {
    timing: { ...RESTLESS, replaceAfterMs: 0 },
    maxGasPrice: price + price / 2n,
  })
  // No node accepts the broadcast, so the transaction is never mined.
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  for (let steps = 0; steps < 8; steps += 1) await sender.step()
  const attempts = await attemptsOf(database.db, id)
  expect(attempts.length).toBeGreaterThan(2)
  expect(new Set(attempts.map(({ nonce }) => nonce))).toEqual(new Set([0n]))
  const prices = attempts.map(({ gas_price }) => gas_price ?? 0n)
  prices.slice(1).forEach((next, at) => {
    expect(next * 10n).toBeGreaterThanOrEqual((prices[at] ?? 0n) * 11n)
    expect(next).toBeLessThanOrEqual(price + price / 2n)
  })
  expect(await alarmKinds()).toContain('payout.stuck')

  proxy.setFaults(() => 'none')
  await runToEnd(shaky, sender)
  expect((await states(id)).filter((state) => state === 'confirmed')).toHaveLength(1)
  expect(await received()).toBe(USDT)
  expect((await payoutRow(database.db, id)).state).toBe('final')
})

test('a payout waits while the gas price is above the cap', async () => {
  const id = await givenPayout()
  await bscSenderOf(world, { maxGasPrice: 1n }).step()
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'waiting',
    wait_reason: 'GAS_PRICE',
  })
  expect(await alarmKinds()).toEqual(['payout.waiting'])
  await runToEnd(world, bscSenderOf(world))
  expect(await alarmKinds()).toEqual([])
  expect(await received()).toBe(USDT)
})

test('[T075] one unit short of USDT a payout waits, raises one alarm, and is paid after the top-up', async () => {
  const id = await givenPayout(100n * USDT + 1n)
  const sender = bscSenderOf(world)
  for (let steps = 0; steps < 3; steps += 1) expect(await sender.step()).toBe(true)
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'NO_TOKEN' })
  expect(await states(id)).toEqual([])
  expect(await alarmKinds()).toEqual(['payout.waiting'])
  await mintUsdt(host(), wallet.address, 1n)
  await runToEnd(world, sender)
  expect(await received()).toBe(100n * USDT + 1n)
  expect(await alarmKinds()).toEqual([])
})

test('[T075] payouts that together exceed the wallet’s balance are not signed together', async () => {
  const ids = [await givenPayout(60n * USDT), await givenPayout(60n * USDT)]
  await runToEnd(world, bscSenderOf(world))
  expect(await received()).toBe(60n * USDT)
  expect(await states(ids[1] ?? 0n)).toEqual([])
})

test('[T075] without BNB a payout waits, and is paid after the top-up', async () => {
  const id = await givenPayout()
  const poor = newBscKey()
  const keys = { ...world.chains.serviceKeys }
  const payout = { bscPrivateKey: poor.privateKey, bscAddress: poor.address }
  const poorWorld = { ...world, chains: { ...world.chains, serviceKeys: { ...keys, payout } } }
  await mintUsdt(host(), poor.address, USDT)
  const sender = bscSenderOf(poorWorld)
  await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'NO_BNB' })
  await host().control.faucet({ bscAddress: poor.address, bnb: '1' })
  await runToEnd(poorWorld, sender)
  expect(await received()).toBe(USDT)
})

test('[T078] a transfer that reverts in a final block uses up its nonce; the retry uses another', async () => {
  const thief = newBscKey()
  await host().control.faucet({ bscAddress: thief.address, bnb: '1' })
  const { usdt } = addressesOf(host())
  const approve = encodeCall(tokenAbi, 'approve', [thief.address, 100n * USDT])
  await callBsc(host(), wallet.privateKey, { to: usdt, data: approve })
  await host().control.finalize()
  await watch()

  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  await bscSenderOf(shaky).step()
  expect(await states(id)).toEqual(['pending'])
  const drain = encodeCall(tokenAbi, 'transferFrom', [wallet.address, thief.address, 100n * USDT])
  await callBsc(host(), thief.privateKey, { to: usdt, data: drain })
  proxy.setFaults(() => 'none')
  const sender = bscSenderOf(shaky)
  await runToEnd(shaky, sender)
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'waiting',
    wait_reason: 'NO_TOKEN',
  })
  expect((await attemptsOf(database.db, id))[0]?.proof).toMatchObject({ kind: 'reverted' })

  await mintUsdt(host(), wallet.address, 5n * USDT)
  await runToEnd(shaky, sender)
  const attempts = await attemptsOf(database.db, id)
  expect(attempts.map(({ state, nonce }) => [state, nonce])).toEqual([
    ['expired', 1n],
    ['confirmed', 2n],
  ])
  expect(await received()).toBe(USDT)
})

test('[T079] a payment undone by a reorganisation is sent again with the same bytes', async () => {
  const id = await givenPayout()
  const sender = bscSenderOf(world, { timing: RESTLESS })
  const { bsc } = await host().control.info()
  await sender.step()
  expect(await received()).toBe(USDT)
  // Mined is not final, so checking the status any number of times books nothing.
  for (let checks = 0; checks < 3; checks += 1) await sender.step()
  expect((await payoutRow(database.db, id)).state).toBe('sent')
  expect(world.finals).toEqual([])
  await host().control.reorg({ chain: 'bsc', after: bsc.head.number })
  expect(await received()).toBe(0n)
  await runToEnd(world, sender)
  expect(await states(id)).toEqual(['confirmed'])
  expect(await received()).toBe(USDT)
})

test('[T076] a nonce used by somebody else holds the sender until an admin has checked it', async () => {
  const sender = bscSenderOf(world, { timing: RESTLESS })
  await givenPayout()
  await runToEnd(world, sender)
  await sendUsdt(host(), wallet.privateKey, { to: newBscKey().address, amount: 3n })
  await host().control.finalize()

  const id = await givenPayout()
  for (let steps = 0; steps < 4; steps += 1) await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'SENDER_HELD' })
  expect(await states(id)).toEqual([])
  expect(await alarmKinds()).toContain('sender.held')

  await resume()
  await runToEnd(world, sender)
  expect((await attemptsOf(database.db, id)).map(({ nonce }) => nonce)).toEqual([2n])
  expect(await alarmKinds()).not.toContain('sender.held')
  expect(await alarmKinds()).not.toContain('payout.waiting')
})

test('[T076] a payment whose nonce was used by another transaction is left undecided', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  const sender = bscSenderOf(shaky, { timing: RESTLESS })
  await sender.step()
  await sendUsdt(host(), wallet.privateKey, { to: newBscKey().address, amount: 3n })
  await host().control.finalize()
  proxy.setFaults(() => 'none')
  for (let steps = 0; steps < 4; steps += 1) await sender.step()
  expect(await states(id)).toEqual(['pending'])
  expect(await alarmKinds()).toContain('sender.held')

  await resume()
  await runToEnd(shaky, sender)
  expect(await states(id)).toEqual(['expired', 'confirmed'])
  expect((await attemptsOf(database.db, id))[0]?.proof).toMatchObject({
    kind: 'nonce used by another',
  })
  expect(await received()).toBe(USDT)
})

test('[T079] another transaction with the nonce does not hold the sender before its block is final', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  const sender = bscSenderOf(shaky, { timing: RESTLESS })
  await sender.step()
  const { bsc } = await host().control.info()
  await sendUsdt(host(), wallet.privateKey, { to: newBscKey().address, amount: 3n })
  for (let checks = 0; checks < 4; checks += 1) await sender.step()
  expect(await alarmKinds()).not.toContain('sender.held')

  await host().control.reorg({ chain: 'bsc', after: bsc.head.number })
  proxy.setFaults(() => 'none')
  await runToEnd(shaky, sender)
  expect(await states(id)).toEqual(['confirmed'])
  expect(await received()).toBe(USDT)
})

test('[T076] a payment dropped from the mempool is sent again with its own nonce', async () => {
  const ids = [await givenPayout(), await givenPayout(), await givenPayout()]
  await host().control.pauseMining()
  const sender = bscSenderOf(world, { timing: RESTLESS })
  await sender.step()
  await host().control.dropTransactions()
  await host().control.resumeMining()
  await runToEnd(world, sender)
  for (const id of ids) expect(await states(id)).toEqual(['confirmed'])
  expect(await received()).toBe(3n * USDT)
})

/** An admin explains every unknown payment and resumes the sender, once the watcher has read these blocks. */
async function resume() {
  await watch()
  const deps = adminDeps(world)
  const open = await openPayments(database.db, { chain: 'BSC', limit: 9 })
  for (const { chain, txHash, logIndex } of open) {
    const place = { chain, txHash, logIndex }
    await explainOpenPayment(deps, { ...place, explanation: 'A withdrawal', adminId: 1n })
  }
  await resumeSender(deps, 1n)
}

async function watch() {
  const { number } = await createEvmClient({ url: host().bscUrl }).finalHead()
  await bscWatcherOf(world, number).catchUp()
}
