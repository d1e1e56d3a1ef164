import { encodeCall, tronSigner } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms.ts'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../testing/faulty-proxy.ts'
import {
  addressesOf,
  callTron,
  dctOf,
  emptyAccount,
  givenHolder,
  givenPlan,
  givenStake,
  type Holder,
  PLAN,
} from '../../testing/sender-chains.ts'
import {
  attemptsOf,
  givenRewardPayout,
  payoutRow,
  runToEnd,
  type SenderWorld,
  senderWorld,
  tronSenderOf,
} from '../../testing/senders.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { retryPayout } from './manage-payouts.ts'

const host = useChainHost()
let database: TestDatabase
let proxy: FaultyProxy
let world: SenderWorld
/** The same world through a network that loses things. */
let shaky: SenderWorld
let holder: Holder
let stakeId: bigint
/** Counts up, so that every payout of the one stake has a key of its own. */
let cycle = 0

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startFaultyProxy(host().tronUrl)
  await givenPlan(host())
})
afterAll(async () => {
  await proxy.stop()
  await database.drop()
})
beforeEach(async () => {
  await wipe(database.db)
  proxy.setFaults(() => 'none')
  world = senderWorld(database.db, host())
  const shakyChains = { ...host(), tronUrl: proxy.url }
  shaky = { ...world, chains: shakyChains }
  holder = await givenHolder(host())
  stakeId = (await givenStake(host(), { holder, amount: 50_000_000n })).stakeId
})

function givenPayout(amount = 1_000n) {
  cycle += 1
  const facts = { to: holder.address, amount, stakeId, planCode: PLAN.code, lastCycle: cycle }
  return givenRewardPayout(world, facts)
}

async function asOwner(functionName: 'pausePayouts' | 'unpausePayouts') {
  const data = encodeCall(rewardPoolAbi, functionName, [])
  const contract = addressesOf(host()).rewardPool
  await callTron(host(), host().serviceKeys.owner.tronPrivateKey, { contract, data })
}

const paid = async () => (await dctOf(host(), holder.address)) - 50_000_000n
const alarmKinds = async () => (await openAlarms(database.db)).map(({ kind }) => kind)
const states = async (id: bigint) => (await attemptsOf(database.db, id)).map(({ state }) => state)

test('a reward is paid once, and booked when its event is final', async () => {
  const id = await givenPayout(100_000n)
  await runToEnd(world, tronSenderOf(world))
  const row = await payoutRow(database.db, id)
  expect(row).toMatchObject({ state: 'final', wait_reason: null, failures: 0 })
  expect(await paid()).toBe(100_000n)
  expect(world.finals).toHaveLength(1)
  const [attempt, ...others] = await attemptsOf(database.db, id)
  expect(others).toEqual([])
  expect(attempt).toMatchObject({ state: 'WON', tx_hash: row.final_tx })
  expect(await balanceOf(database.db, { asset: 'DCT', account: account.payout(id) })).toBe(0n)
})

test('a mined payment is not booked before its block is final', async () => {
  const id = await givenPayout()
  const sender = tronSenderOf(world)
  expect(await sender.step()).toBe(false)
  for (let looks = 0; looks < 5; looks += 1) {
    const row = await payoutRow(database.db, id)
    const isFinal = (await dctOf(host(), holder.address)) > 50_000_000n
    if (isFinal) break
    expect(row.state).toBe('signed')
    await sender.step()
  }
  await runToEnd(world, sender)
  expect((await payoutRow(database.db, id)).state).toBe('final')
})

test('[T070] answers that are lost and throttled broadcasts pay nobody twice and leave nobody out', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => givenPayout()))
  let count = 0
  proxy.setFaults((request) => {
    if (!isBroadcast(request)) return 'none'
    count += 1
    return count % 3 === 0 ? 'lose-answer' : count % 3 === 1 ? 'lose-request' : 'busy'
  })
  const timing = { pollMs: 0, retryMs: 0, rebroadcastMs: 0, replaceAfterMs: 60_000, suspectMs: 0 }
  await runToEnd(shaky, tronSenderOf(shaky, { timing }))
  for (const id of ids) {
    expect((await payoutRow(database.db, id)).state).toBe('final')
    expect(await states(id)).toEqual(['WON'])
  }
  expect(await paid()).toBe(8_000n)
})

test('[T071] two senders at once pay each reward once', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => givenPayout()))
  await Promise.all([runToEnd(world, tronSenderOf(world)), runToEnd(world, tronSenderOf(world))])
  expect(await paid()).toBe(12_000n)
  for (const id of ids) expect(await states(id)).toEqual(['WON'])
  expect(world.finals).toHaveLength(12)
})

test('[T073] a new transaction is signed only when the final chain is past the expiry of the old one', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  const sender = tronSenderOf(shaky)
  await sender.step()
  await sender.step()
  expect(await states(id)).toEqual(['LIVE'])

  const [first] = await attemptsOf(database.db, id)
  const expiresAt = first?.expires_at?.getTime() ?? 0
  await host().control.advanceTo({ timestampMs: expiresAt + 20_000 })
  await sender.step()
  expect(await states(id)).toEqual(['LIVE'])

  await host().control.advanceTo({ timestampMs: expiresAt + 90_000 })
  proxy.setFaults(() => 'none')
  await runToEnd(shaky, sender)
  expect(await states(id)).toEqual(['DEAD', 'WON'])
  const [dead] = await attemptsOf(database.db, id)
  expect(dead?.proof).toMatchObject({ kind: 'expired', nodes: [{}] })
  expect(await paid()).toBe(1_000n)
})

test('[T073] a transaction that is included at the last moment counts, and none is signed beside it', async () => {
  const id = await givenPayout()
  await host().control.pauseMining()
  const sender = tronSenderOf(world)
  await sender.step()
  for (let looks = 0; looks < 3; looks += 1) await sender.step()
  expect(await states(id)).toEqual(['LIVE'])
  await host().control.resumeMining()
  await runToEnd(world, sender)
  expect(await states(id)).toEqual(['WON'])
  expect(await paid()).toBe(1_000n)
})

test('[T079] a payment that a reorganisation undoes is sent again with the same bytes', async () => {
  const id = await givenPayout()
  const timing = { pollMs: 0, retryMs: 0, rebroadcastMs: 0, replaceAfterMs: 60_000, suspectMs: 0 }
  const sender = tronSenderOf(world, { timing })
  const { tron } = await host().control.info()
  await sender.step()
  await host().control.reorg({ chain: 'tron', after: tron.head.number })
  await runToEnd(world, sender)
  expect(await states(id)).toEqual(['WON'])
  expect(await paid()).toBe(1_000n)
})

test('[T078] a payment that reverts in a final block is dead and tried again; the second time it is held', async () => {
  const id = await givenPayout()
  const sender = tronSenderOf(shaky)
  const revertOnce = async () => {
    proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
    await sender.step()
    await asOwner('pausePayouts')
    proxy.setFaults(() => 'none')
    // A process that starts again sends what is stored.
    await runToEnd(shaky, tronSenderOf(shaky))
    await asOwner('unpausePayouts')
  }
  await revertOnce()
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'queued', failures: 1 })
  expect((await attemptsOf(database.db, id))[0]?.proof).toMatchObject({
    kind: 'reverted',
    failure: 'REVERT',
  })
  await revertOnce()
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'held', failures: 2 })
  expect(await alarmKinds()).toContain('payout.held')
  expect(await sender.step()).toBe(true)
  expect(await paid()).toBe(0n)

  const deps = { db: database.db, clock: world.clock, recordAdminAction: async () => undefined }
  await retryPayout(deps, { payoutId: id, adminId: 1n })
  await runToEnd(world, tronSenderOf(world))
  expect(await states(id)).toEqual(['DEAD', 'DEAD', 'WON'])
  expect(await paid()).toBe(1_000n)
})

test('nothing is signed while payouts are paused; they go on by themselves', async () => {
  const id = await givenPayout()
  await asOwner('pausePayouts')
  const sender = tronSenderOf(world)
  expect(await sender.step()).toBe(true)
  expect(await sender.step()).toBe(true)
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'queued', wait_reason: 'PAUSED' })
  expect(await states(id)).toEqual([])
  expect(await alarmKinds()).toEqual(['payout.waiting'])
  await asOwner('unpausePayouts')
  await runToEnd(world, sender)
  expect(await paid()).toBe(1_000n)
  expect(await alarmKinds()).toEqual([])
})

test('what the contract does not pay yet waits quietly until it does', async () => {
  const id = await givenPayout(150_000n)
  const sender = tronSenderOf(world)
  await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'NOT_VESTED' })
  expect(await alarmKinds()).toEqual([])
  await host().control.advanceTo({ timestampMs: realClock.now().getTime() + 3 * DAY_MS })
  await runToEnd(world, sender)
  expect(await paid()).toBe(150_000n)
})

test('[T075] without TRX it waits, calls for help once, and goes on after the top-up', async () => {
  const setOperator = async (privateKey: string, operator: Holder['address']) => {
    const data = encodeCall(rewardPoolAbi, 'setOperator', [operator])
    await callTron(host(), privateKey, { contract: addressesOf(host()).rewardPool, data })
  }
  const { owner, operator } = host().serviceKeys
  const empty = emptyAccount()
  await setOperator(owner.tronPrivateKey, empty.address)
  const keys = { ...host().serviceKeys, operator: { tronPrivateKey: empty.privateKey.slice(2) } }
  const poorWorld = { ...world, chains: { ...host(), serviceKeys: keys } }
  const ids = [await givenPayout(), await givenPayout()]
  const sender = tronSenderOf(poorWorld)
  for (let steps = 0; steps < 3; steps += 1) expect(await sender.step()).toBe(true)
  for (const id of ids) {
    expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'NO_TRX' })
    expect(await states(id)).toEqual([])
  }
  expect(await alarmKinds()).toEqual(['payout.waiting'])
  await host().control.faucet({ tronAddress: empty.tronAddress, trx: '1000' })
  await runToEnd(poorWorld, sender)
  expect(await paid()).toBe(2_000n)
  await setOperator(owner.tronPrivateKey, tronSigner(operator.tronPrivateKey).address)
})

test('[T080] one cause makes one payout, however many ask at once', async () => {
  cycle += 1
  const facts = { to: holder.address, amount: 5n, stakeId, planCode: PLAN.code, lastCycle: cycle }
  const ids = await Promise.all(
    Array.from({ length: 16 }, () =>
      givenRewardPayout(world, { ...facts, cause: 'claim:1:later' }),
    ),
  )
  expect(new Set(ids).size).toBe(1)
  const other = givenRewardPayout(world, { ...facts, amount: 6n, cause: 'claim:1:later' })
  await expect(other).rejects.toThrow('exists with other content')
})

test('[T074] where a payout goes and how much it is can never be changed', async () => {
  const id = await givenPayout()
  const { db } = database
  const change = (values: object) =>
    db.updateTable('payout').set(values).where('id', '=', id).execute()
  for (const values of [{ to_address: Buffer.alloc(20, 1) }, { amount: 2n }, { cause: 'x' }]) {
    await expect(change(values)).rejects.toThrow('fixed')
  }
  await expect(db.deleteFrom('payout').execute()).rejects.toThrow('never deleted')
  await expect(change({ state: 'signed', held_note: null })).resolves.toBeDefined()
  await expect(change({ state: 'void' })).rejects.toThrow('cannot go')
})
