import { createEvmClient } from '@dct/chain-clients'
import { encodeCall } from '@dct/chain-clients/senders/index'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../testing/faulty-proxy.ts'
import { type BscKey, newBscKey, worldOfWallet } from '../../testing/fresh-sender-world.ts'
import { bscWatcherOf } from '../../testing/payment-watchers.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import {
  addressesOf,
  bscNodeOf,
  callBsc,
  callTron,
  dctOf,
  emptyAccount,
  givenHolder,
  givenPlan,
  givenStake,
  type Holder,
  PLAN,
  sendUsdt,
  usdtOf,
} from '../../testing/sender-chains.ts'
import {
  attemptsOf,
  bscSenderOf,
  givenRewardPayout,
  givenUsdtPayout,
  payoutRow,
  RESTLESS,
  type SenderWorld,
  senderWorld,
  tronSenderOf,
} from '../../testing/senders.ts'
import { requestOperatorCall } from './index.ts'

const host = useChainHost()
const USDT = 10n ** 18n

const database = useTestDatabase()
let bscProxy: FaultyProxy
let tronProxy: FaultyProxy
let count = 0

beforeAll(async () => {
  bscProxy = await startFaultyProxy(host().bscUrl)
  tronProxy = await startFaultyProxy(host().tronUrl)
  for (const proxy of [bscProxy, tronProxy]) {
    proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  }
  await givenPlan(host())
})
afterAll(async () => {
  await bscProxy.stop()
  await tronProxy.stop()
})
beforeEach(() => wipe(database.db))

const stateOf = async (id: bigint) => (await payoutRow(database.db, id)).state
const statesOf = async (id: bigint) => (await attemptsOf(database.db, id)).map(({ state }) => state)

/** A payout that a former wallet signed but the network lost, and the world with the current wallet. */
async function givenFormerWallet() {
  const [former, present] = [newBscKey(), newBscKey()]
  const receiver = newBscKey().address
  for (const { address } of [former, present]) {
    await host().control.faucet({ bscAddress: address, usdt: '100', bnb: '1' })
  }
  await host().control.finalize()
  const { number } = await createEvmClient({ url: host().bscUrl }).finalHead()
  const before = worldOf(former)
  const id = await givenUsdt(before, receiver)
  const lossy = { ...before, chains: { ...before.chains, bscUrl: bscProxy.url } }
  await bscSenderOf(lossy, { timing: RESTLESS }).step()
  expect(await statesOf(id)).toEqual(['pending'])
  const world = { ...worldOf(present), formerWallets: [former.address] }
  const watch = async () => {
    await host().control.finalize()
    await bscWatcherOf(world, number + 1n).catchUp()
  }
  return { id, former, present, receiver, world, watch }
}

const worldOf = (wallet: BscKey) => worldOfWallet(database.db, host(), wallet)

function givenUsdt(world: SenderWorld, to: Hex) {
  count += 1
  return givenUsdtPayout(world, { to, amount: USDT, cause: `referral:${count}` })
}

/** Uses up the wallet's first nonce. */
async function useNonce({ privateKey, address }: BscKey): Promise<void> {
  await callBsc(host(), privateKey, { to: address, data: '0x', gas: 21_000n })
  await host().control.finalize()
}

test('a transaction signed by a former wallet is sent again, followed to its end and booked once', async () => {
  const { id, receiver, world, watch } = await givenFormerWallet()
  const next = await givenUsdt(world, receiver)
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  expect(await statesOf(id)).toEqual(['confirmed'])
  // The current wallet waits until everything that the former one sent has been read.
  expect(await payoutRow(database.db, next)).toMatchObject({ wait_reason: 'WATCHER_BEHIND' })
  await watch()
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  expect(await statesOf(next)).toEqual(['confirmed'])
  expect(await usdtOf(host(), receiver)).toBe(2n * USDT)
  expect(world.finals).toHaveLength(2)
})

test('the watcher books a payment from a former wallet on its own', async () => {
  const { id, receiver, world, watch } = await givenFormerWallet()
  const [attempt] = await attemptsOf(database.db, id)
  await bscNodeOf(host()).broadcast(attempt?.raw ?? Buffer.alloc(0))
  await watch()
  expect(await stateOf(id)).toBe('final')
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  expect(await usdtOf(host(), receiver)).toBe(USDT)
})

test('a payout that a former wallet can no longer pay is paid by the current one with its own nonces', async () => {
  const { id, former, present, receiver, world, watch } = await givenFormerWallet()
  // By then the current wallet has already used its first nonce.
  const own = await givenUsdt(world, receiver)
  const lossy = { ...world, chains: { ...world.chains, bscUrl: bscProxy.url } }
  await bscSenderOf(lossy, { timing: RESTLESS }).step()
  await useNonce(former)
  const sender = bscSenderOf(lossy, { timing: RESTLESS })
  for (let steps = 0; steps < 3; steps += 1) await sender.step()
  expect(await statesOf(id)).toEqual(['pending'])
  await watch()
  await sender.step()
  expect((await statesOf(id))[0]).toBe('expired')
  const buried = await database.db
    .selectFrom('sender_nonce')
    .select(['sender', 'payout_id'])
    .where('end_proof', 'is not', null)
    .execute()
  expect(buried).toEqual([{ sender: Buffer.from(former.address.slice(2), 'hex'), payout_id: id }])
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  const [, again] = await attemptsOf(database.db, id)
  expect(again).toMatchObject({
    state: 'confirmed',
    sender: Buffer.from(present.address.slice(2), 'hex'),
  })
  expect(await statesOf(own)).toEqual(['confirmed'])
  expect(await usdtOf(host(), receiver)).toBe(2n * USDT)
})

test('an alarm asks for BNB for a former wallet, which pays once it has some', async () => {
  const { id, receiver, world } = await givenFormerWallet()
  const lossy = { ...world, chains: { ...world.chains, bscUrl: bscProxy.url } }
  await bscSenderOf(lossy, { timing: { ...RESTLESS, replaceAfterMs: 0 } }).step()
  expect(await statesOf(id)).toEqual(['pending'])
  const alarms = await openAlarms(database.db)
  expect(alarms).toMatchObject([{ kind: 'payout.stuck', subject: `payout:${id}` }])
  await runToEnd(world, bscSenderOf(world, { timing: RESTLESS }))
  expect(await usdtOf(host(), receiver)).toBe(USDT)
  expect(await openAlarms(database.db)).toEqual([])
})

test('[T081] a payment by a former wallet after the backup is not repeated by the current one', async () => {
  const [former, present] = [newBscKey(), newBscKey()]
  const receiver = newBscKey().address
  for (const { address } of [former, present]) {
    await host().control.faucet({ bscAddress: address, usdt: '100', bnb: '1' })
  }
  await host().control.finalize()
  const { number } = await createEvmClient({ url: host().bscUrl }).finalHead()
  // The backup contains the payout and both wallets, but not the payment.
  await sendUsdt(host(), former.privateKey, { to: receiver, amount: USDT })
  const world = { ...worldOf(present), formerWallets: [former.address] }
  const id = await givenUsdt(world, receiver)
  const sender = bscSenderOf(world, { timing: RESTLESS })
  await runToEnd(world, sender)
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'WATCHER_BEHIND' })
  await bscWatcherOf(world, number + 1n).catchUp()
  await runToEnd(world, sender)
  expect(await stateOf(id)).toBe('final')
  expect(await usdtOf(host(), receiver)).toBe(USDT)
})

/** The same on Tron: the owner replaces the operator while a transaction of the former one is undecided. */
async function replaceOperator(work: (world: SenderWorld) => Promise<void>): Promise<void> {
  const { owner, operator } = host().serviceKeys
  const next = emptyAccount()
  await host().control.faucet({ tronAddress: next.tronAddress, trx: '10000' })
  await setOperator(owner.tronPrivateKey, next.address)
  const keys = { ...host().serviceKeys, operator: { tronPrivateKey: next.privateKey.slice(2) } }
  await work(senderWorld(database.db, { ...host(), serviceKeys: keys }))
  await setOperator(owner.tronPrivateKey, rawKeySigner(operator.tronPrivateKey).address)
}

async function setOperator(privateKey: string, operator: Holder['address']): Promise<void> {
  const data = encodeCall(rewardPoolAbi, 'setOperator', [operator])
  await callTron(host(), privateKey, { contract: addressesOf(host()).rewardPool, data })
}

const formerWorld = () => senderWorld(database.db, { ...host(), tronUrl: tronProxy.url })

test('a reward signed by a former operator is retried with the current key, and paid once', async () => {
  const holder = await givenHolder(host())
  const { stakeId } = await givenStake(host(), { holder, amount: 50_000_000n })
  const reward = { to: holder.address, amount: 1_000n, stakeId, planCode: PLAN.code }
  const id = await givenRewardPayout(formerWorld(), reward)
  await tronSenderOf(formerWorld()).step()
  expect(await statesOf(id)).toEqual(['pending'])
  await replaceOperator(async (world) => {
    await runToEnd(world, tronSenderOf(world, { timing: RESTLESS }))
    expect(await statesOf(id)).toEqual(['expired', 'confirmed'])
    expect(await dctOf(host(), holder.address)).toBe(50_001_000n)
  })
})

test('a plan call signed by a former operator does not block later calls of that plan', async () => {
  const request = (kind: 'openPlan' | 'closePlan') => {
    const call =
      kind === 'closePlan'
        ? ({ kind, planCode: 'PLAN-KEYS' } as const)
        : ({ kind, planCode: 'PLAN-KEYS', durationDays: 360, totalBps: 7_200n } as const)
    return inTransaction(database.db, (tx) =>
      requestOperatorCall(tx, { cause: kind, call, at: realClock.now() }),
    )
  }
  await request('openPlan')
  await request('closePlan')
  await tronSenderOf(formerWorld()).step()
  const live = await database.db.selectFrom('send_attempt').select(['state', 'call_id']).execute()
  expect(live).toEqual([{ state: 'pending', call_id: 1n }])
  await replaceOperator(async (world) => {
    await runToEnd(world, tronSenderOf(world, { timing: RESTLESS }))
    expect(world.doneCalls.map(({ kind }) => kind)).toEqual(['openPlan', 'closePlan'])
  })
})
