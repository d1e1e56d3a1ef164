import { encodeCall } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import {
  type BscKey,
  givenVaultWorld,
  newBscKey,
  worldOfVault,
} from '../../../testing/fresh-sender-world.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
import {
  bscNodeOf,
  callBsc,
  mintUsdt,
  sendUsdt,
  tronNodeOf,
  usdtOf,
} from '../../../testing/sender-chains.ts'
import {
  attemptsOf,
  bscSenderOf,
  givenUsdtPayout,
  payoutRow,
  RESTLESS,
  type SenderWorld,
} from '../../../testing/senders.ts'
import { signTestClaim, testReferrer } from '../../../testing/test-claims.ts'
import { account, balanceOf } from '../../ledger/index.ts'
import { createTransactionFeeLoop } from '../index.ts'

const host = useChainHost()
const USDT = 10n ** 18n
/** The smallest amount that claims state. */
const MILLIONTH = 10n ** 12n

const database = useTestDatabase()
let proxy: FaultyProxy
let world: SenderWorld
/** The same world, with a lossy network. */
let shaky: SenderWorld
let key: BscKey
let vault: Hex
let receiver: Hex
let count = 0

beforeAll(async () => {
  proxy = await startFaultyProxy(host().bscUrl)
})
afterAll(() => proxy.stop())
/** Each test uses a vault and an operator of its own, so that nonces do not depend on earlier tests. */
beforeEach(async () => {
  await wipe(database.db)
  proxy.setFaults(() => 'none')
  ;({ key, vault, world } = await givenVaultWorld(database.db, host()))
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
  expect(await bscNodeOf(host()).nonceOf(key.address, 'latest')).toBe(20)
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

test('[T075] a millionth short of USDT a payout waits, raises one alarm, and is paid after the top-up', async () => {
  const id = await givenPayout(100n * USDT + MILLIONTH)
  const sender = bscSenderOf(world)
  for (let steps = 0; steps < 3; steps += 1) expect(await sender.step()).toBe(true)
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'NO_TOKEN' })
  expect(await states(id)).toEqual([])
  expect(await alarmKinds()).toEqual(['payout.waiting'])
  await mintUsdt(host(), vault, MILLIONTH)
  await runToEnd(world, sender)
  expect(await received()).toBe(100n * USDT + MILLIONTH)
  expect(await alarmKinds()).toEqual([])
})

test('[T075] payouts that together exceed the wallet’s balance are not signed together', async () => {
  const ids = [await givenPayout(60n * USDT), await givenPayout(60n * USDT)]
  await runToEnd(world, bscSenderOf(world))
  expect(await received()).toBe(60n * USDT)
  expect(await states(ids[1] ?? 0n)).toEqual([])
})

test('[T075] without BNB a payout waits, and is paid after the top-up', async () => {
  const poor = newBscKey()
  const operator = encodeCall(payoutVaultAbi, 'setOperator', [poor.address])
  await callBsc(host(), host().serviceKeys.owner.bscPrivateKey, { to: vault, data: operator })
  await host().control.finalize()
  const poorWorld = worldOfVault(database.db, host(), { vault, key: poor })
  const id = await givenPayout()
  const sender = bscSenderOf(poorWorld)
  await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'NO_BNB' })
  await host().control.faucet({ bscAddress: poor.address, bnb: '1' })
  await runToEnd(poorWorld, sender)
  expect(await received()).toBe(USDT)
})

/** Calls the vault as its owner. */
async function asOwner(
  name: 'pausePayouts' | 'unpausePayouts' | 'withdraw' | 'setOperator' | 'setDailyLimit',
  args: readonly unknown[] = [],
) {
  const data = encodeCall(payoutVaultAbi, name, args as never)
  await callBsc(host(), host().serviceKeys.owner.bscPrivateKey, { to: vault, data })
  await host().control.finalize()
}

test('[T078] a payment that reverts in a final block uses up its nonce; the retry uses another', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  await bscSenderOf(shaky).step()
  expect(await states(id)).toEqual(['pending'])
  await asOwner('withdraw', [newBscKey().address, 100n * USDT])
  proxy.setFaults(() => 'none')
  const sender = bscSenderOf(shaky)
  await runToEnd(shaky, sender)
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'waiting',
    wait_reason: 'NO_TOKEN',
  })
  expect((await attemptsOf(database.db, id))[0]?.proof).toMatchObject({ kind: 'reverted' })

  await mintUsdt(host(), vault, 5n * USDT)
  await runToEnd(shaky, sender)
  const attempts = await attemptsOf(database.db, id)
  expect(attempts.map(({ state, nonce }) => [state, nonce])).toEqual([
    ['expired', 0n],
    ['confirmed', 1n],
  ])
  expect(await received()).toBe(USDT)
})

test('what the vault refuses waits with the reason: paused, the limit of the day, another operator', async () => {
  const id = await givenPayout(2n * USDT)
  const sender = bscSenderOf(world)
  const reason = async () => {
    await sender.step()
    return (await payoutRow(database.db, id)).wait_reason
  }
  await asOwner('pausePayouts')
  expect(await reason()).toBe('PAUSED')
  await asOwner('unpausePayouts')
  await asOwner('setDailyLimit', [2n * USDT - 1n])
  expect(await reason()).toBe('DAY_LIMIT')
  await asOwner('setDailyLimit', [2n * USDT])
  const other = newBscKey()
  await asOwner('setOperator', [other.address])
  expect(await reason()).toBe('FOREIGN_OPERATOR')
  await asOwner('setOperator', [key.address])
  await runToEnd(world, sender)
  expect(await received()).toBe(2n * USDT)
})

test('payments that together exceed the limit of the day are not signed together', async () => {
  await asOwner('setDailyLimit', [3n * USDT])
  const ids = [await givenPayout(2n * USDT), await givenPayout(2n * USDT)]
  await runToEnd(world, bscSenderOf(world))
  expect(await received()).toBe(2n * USDT)
  expect(await payoutRow(database.db, ids[1] ?? 0n)).toMatchObject({ wait_reason: 'DAY_LIMIT' })
})

test('two claims of one referrer are paid one after the other, each as it was signed', async () => {
  const ids = []
  for (const [amount, n] of [[2n, 1] as const, [3n, 2] as const]) {
    const facts = { to: receiver, amount: amount * USDT, referrer: 'same', cause: `same/${n}` }
    ids.push(await givenUsdtPayout(world, facts))
  }
  await runToEnd(world, bscSenderOf(world))
  for (const id of ids) expect(await states(id)).toEqual(['confirmed'])
  expect(await received()).toBe(5n * USDT)
})

test('a payment that somebody else made with the key and the claim is booked, and not made again', async () => {
  const id = await givenPayout(5n * USDT)
  const claim = await signTestClaim(world, database.db, id)
  if (claim === undefined) throw new Error('the payout has a claim')
  const stolen = {
    account: testReferrer(world, `referral:${count}`).address,
    ...{
      kind: 0,
      to: receiver,
      claimed: claim.claimed / MILLIONTH,
      total: claim.total / MILLIONTH,
    },
    ...{ opening: claim.opening, closing: claim.closing },
    signature: `0x${Buffer.from(claim.signature).toString('hex')}` as const,
  }
  const data = encodeCall(payoutVaultAbi, 'pay', [stolen, 0n, 5n * USDT])
  await callBsc(host(), key.privateKey, { to: vault, data })
  await host().control.finalize()
  await bscSenderOf(world).step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'BOOKS_BEHIND' })
  await runToEnd(world, bscSenderOf(world))
  expect((await payoutRow(database.db, id)).state).toBe('final')
  expect(await attemptsOf(database.db, id)).toEqual([])
  expect(await received()).toBe(5n * USDT)
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

test('[T076] a payment whose nonce another transaction took is signed again', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  const sender = bscSenderOf(shaky, { timing: RESTLESS })
  await sender.step()
  await sendUsdt(host(), key.privateKey, { to: newBscKey().address, amount: 0n })
  await host().control.finalize()
  proxy.setFaults(() => 'none')
  await runToEnd(shaky, sender)
  expect(await states(id)).toEqual(['expired', 'confirmed'])
  expect((await attemptsOf(database.db, id))[0]?.proof).toMatchObject({
    kind: 'another transaction has its nonce',
  })
  expect(await received()).toBe(USDT)
})

test('a transaction of a replaced key is given up, and the new key pays once', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  await bscSenderOf(shaky, { timing: RESTLESS }).step()
  proxy.setFaults(() => 'none')
  const next = newBscKey()
  await host().control.faucet({ bscAddress: next.address, bnb: '1' })
  await asOwner('setOperator', [next.address])
  const after = worldOfVault(database.db, host(), { vault, key: next })
  await runToEnd(after, bscSenderOf(after, { timing: RESTLESS }))
  expect(await states(id)).toEqual(['expired', 'confirmed'])
  expect(await received()).toBe(USDT)
})

test('[T079] another transaction with the nonce decides nothing before its block is final', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  const sender = bscSenderOf(shaky, { timing: RESTLESS })
  await sender.step()
  const { bsc } = await host().control.info()
  await sendUsdt(host(), key.privateKey, { to: newBscKey().address, amount: 0n })
  for (let checks = 0; checks < 4; checks += 1) await sender.step()
  expect(await states(id)).toEqual(['pending'])

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
