import { encodeCall } from '@dct/chain-clients/senders/index'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../../../platform/clock.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
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
} from '../../../testing/sender-chains.ts'
import {
  attemptsOf,
  givenRewardPayout,
  payoutRow,
  type SenderWorld,
  senderWorld,
  tronSenderOf,
} from '../../../testing/senders.ts'
import { account, balanceOf } from '../../ledger/index.ts'
import { retryPayout } from '../manage-payouts.ts'

const host = useChainHost()
const database = useTestDatabase()
let proxy: FaultyProxy
let world: SenderWorld
/** The same world, with a lossy network. */
let shaky: SenderWorld
let holder: Holder
let stakeId: bigint
/** A counter that gives every payout of the stake a different key. */
let cycle = 0

beforeAll(async () => {
  proxy = await startFaultyProxy(host().tronUrl)
  await givenPlan(host())
})
afterAll(() => proxy.stop())
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
  expect(attempt).toMatchObject({ state: 'confirmed', tx_hash: row.final_tx })
  expect(await balanceOf(database.db, { asset: 'DCT', account: account.payout(id) })).toBe(0n)
})

test('a mined payment is not booked before its block is final', async () => {
  const id = await givenPayout()
  const sender = tronSenderOf(world)
  expect(await sender.step()).toBe(false)
  for (let checks = 0; checks < 5; checks += 1) {
    const row = await payoutRow(database.db, id)
    const isFinal = (await dctOf(host(), holder.address)) > 50_000_000n
    if (isFinal) break
    expect(row.state).toBe('sent')
    await sender.step()
  }
  await runToEnd(world, sender)
  expect((await payoutRow(database.db, id)).state).toBe('final')
})

test('[T070] despite lost answers and throttled broadcasts, everybody is paid exactly once', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => givenPayout()))
  let count = 0
  proxy.setFaults((request) => {
    if (!isBroadcast(request)) return 'none'
    count += 1
    if (count % 12 === 2) return 'busy'
    return count % 3 === 0 ? 'lose-answer' : 'lose-request'
  })
  const timing = { pollMs: 0, retryMs: 0, rebroadcastMs: 0, replaceAfterMs: 60_000, suspectMs: 0 }
  await runToEnd(shaky, tronSenderOf(shaky, { timing }))
  for (const id of ids) {
    expect((await payoutRow(database.db, id)).state).toBe('final')
    expect(await states(id)).toEqual(['confirmed'])
  }
  expect(await paid()).toBe(8_000n)
})

test('[T071] two concurrent senders pay each reward once', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => givenPayout()))
  await Promise.all([runToEnd(world, tronSenderOf(world)), runToEnd(world, tronSenderOf(world))])
  expect(await paid()).toBe(12_000n)
  for (const id of ids) expect(await states(id)).toEqual(['confirmed'])
  expect(world.finals).toHaveLength(12)
})

test('[T073] a new transaction is signed only once the final chain is past the expiry of the old one', async () => {
  const id = await givenPayout()
  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  const sender = tronSenderOf(shaky)
  await sender.step()
  await sender.step()
  expect(await states(id)).toEqual(['pending'])

  const [first] = await attemptsOf(database.db, id)
  const expiresAt = first?.expires_at?.getTime() ?? 0
  await host().control.advanceTo({ timestampMs: expiresAt + 20_000 })
  await sender.step()
  expect(await states(id)).toEqual(['pending'])

  await host().control.advanceTo({ timestampMs: expiresAt + 90_000 })
  proxy.setFaults(() => 'none')
  await runToEnd(shaky, sender)
  expect(await states(id)).toEqual(['expired', 'confirmed'])
  const [expired] = await attemptsOf(database.db, id)
  expect(expired?.proof).toMatchObject({ kind: 'expired', nodes: [{}] })
  expect(await paid()).toBe(1_000n)
})

test('[T073] a transaction included at the last moment counts, and no second one is signed', async () => {
  const id = await givenPayout()
  await host().control.pauseMining()
  const sender = tronSenderOf(world)
  await sender.step()
  for (let checks = 0; checks < 3; checks += 1) await sender.step()
  expect(await states(id)).toEqual(['pending'])
  await host().control.resumeMining()
  await runToEnd(world, sender)
  expect(await states(id)).toEqual(['confirmed'])
  expect(await paid()).toBe(1_000n)
})

test('[T079] a payment undone by a reorganisation is sent again with the same bytes', async () => {
  const id = await givenPayout()
  const timing = { pollMs: 0, retryMs: 0, rebroadcastMs: 0, replaceAfterMs: 60_000, suspectMs: 0 }
  const sender = tronSenderOf(world, { timing })
  const { tron } = await host().control.info()
  await sender.step()
  // Mined is not final, so checking the status any number of times books nothing.
  for (let checks = 0; checks < 3; checks += 1) await sender.step()
  expect((await payoutRow(database.db, id)).state).toBe('sent')
  expect(world.finals).toEqual([])
  await host().control.reorg({ chain: 'tron', after: tron.head.number })
  await runToEnd(world, sender)
  expect(await states(id)).toEqual(['confirmed'])
  expect(await paid()).toBe(1_000n)
})

test('[T078] a payment that reverts in a final block is retried; from the second revert on with an alarm, which a retry clears', async () => {
  const id = await givenPayout()
  const sender = tronSenderOf(shaky)
  const revertOnce = async () => {
    proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
    await sender.step()
    await asOwner('pausePayouts')
    proxy.setFaults(() => 'none')
    // A restarted process must send the stored bytes.
    await runToEnd(shaky, tronSenderOf(shaky))
    await asOwner('unpausePayouts')
  }
  await revertOnce()
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'waiting', failures: 1 })
  expect((await attemptsOf(database.db, id))[0]?.proof).toMatchObject({
    kind: 'reverted',
    failure: 'REVERT',
  })
  await revertOnce()
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'waiting', failures: 2 })
  expect(await alarmKinds()).toContain('payout.waiting')
  expect(await paid()).toBe(0n)

  const deps = { db: database.db, clock: world.clock, recordAdminAction: async () => undefined }
  await retryPayout(deps, { payoutId: id, adminId: 1n })
  expect(await payoutRow(database.db, id)).toMatchObject({ state: 'waiting', failures: 0 })
  expect(await alarmKinds()).toEqual([])
  await runToEnd(world, tronSenderOf(world))
  expect(await states(id)).toEqual(['expired', 'expired', 'confirmed'])
  expect(await paid()).toBe(1_000n)
})

test('nothing is signed while payouts are paused; afterwards they continue automatically', async () => {
  const id = await givenPayout()
  await asOwner('pausePayouts')
  const sender = tronSenderOf(world)
  expect(await sender.step()).toBe(true)
  expect(await sender.step()).toBe(true)
  expect(await payoutRow(database.db, id)).toMatchObject({
    state: 'waiting',
    wait_reason: 'PAUSED',
  })
  expect(await states(id)).toEqual([])
  expect(await alarmKinds()).toEqual(['payout.waiting'])
  await asOwner('unpausePayouts')
  await runToEnd(world, sender)
  expect(await paid()).toBe(1_000n)
  expect(await alarmKinds()).toEqual([])
})

test('a part that the contract does not pay yet waits without an alarm until it does', async () => {
  const id = await givenPayout(150_000n)
  const sender = tronSenderOf(world)
  await sender.step()
  expect(await payoutRow(database.db, id)).toMatchObject({ wait_reason: 'NOT_VESTED' })
  expect(await alarmKinds()).toEqual([])
  await host().control.advanceTo({ timestampMs: realClock.now().getTime() + 3 * DAY_MS })
  await runToEnd(world, sender)
  expect(await paid()).toBe(150_000n)
})

/** The same world with an operator without TRX. `restore` makes the original operator the contract's operator again. */
async function worldOfPoor() {
  const setOperator = async (privateKey: string, operator: Holder['address']) => {
    const data = encodeCall(rewardPoolAbi, 'setOperator', [operator])
    await callTron(host(), privateKey, { contract: addressesOf(host()).rewardPool, data })
  }
  const { owner, operator } = host().serviceKeys
  const empty = emptyAccount()
  await setOperator(owner.tronPrivateKey, empty.address)
  const keys = { ...host().serviceKeys, operator: { tronPrivateKey: empty.privateKey.slice(2) } }
  const poorWorld = { ...world, chains: { ...host(), serviceKeys: keys } }
  return {
    poorWorld,
    sender: tronSenderOf(poorWorld),
    topUp: (trx: string) => host().control.faucet({ tronAddress: empty.tronAddress, trx }),
    restore: () => setOperator(owner.tronPrivateKey, rawKeySigner(operator.tronPrivateKey).address),
  }
}

test('[T075] without TRX a payout waits, raises one alarm, and is paid after the top-up', async () => {
  const { poorWorld, sender, topUp, restore } = await worldOfPoor()
  const [first, second] = [await givenPayout(), await givenPayout()]
  for (let steps = 0; steps < 3; steps += 1) expect(await sender.step()).toBe(true)
  expect(await payoutRow(database.db, first)).toMatchObject({ wait_reason: 'NO_TRX' })
  for (const id of [first, second]) expect(await states(id)).toEqual([])
  expect(await alarmKinds()).toEqual(['payout.waiting'])
  await topUp('1000')
  await runToEnd(poorWorld, sender)
  expect(await paid()).toBe(2_000n)
  await restore()
})

test('[T075] with TRX for the energy of a call but not for its bandwidth it also waits', async () => {
  const { poorWorld, sender, topUp, restore } = await worldOfPoor()
  const waitOf = async (id: bigint) => (await payoutRow(database.db, id)).wait_detail ?? ''
  const first = await givenPayout()
  await sender.step()
  const [, needed = ''] =
    /^(\d+) sun is needed, the balance is 0\.$/.exec(await waitOf(first)) ?? []
  const bandwidthSun = 700_000
  const energySun = Number(needed) - bandwidthSun
  await topUp(`${energySun / 1e6}`)
  await sender.step()
  expect(await waitOf(first)).toBe(`${needed} sun is needed, the balance is ${energySun}.`)
  expect(await states(first)).toEqual([])
  await topUp(`${bandwidthSun / 1e6}`)
  await runToEnd(poorWorld, sender)
  expect(await paid()).toBe(1_000n)
  // The requested amount is twice the energy that the call used in the end, plus its bandwidth.
  const [won] = await attemptsOf(database.db, first)
  const body = JSON.stringify({ value: won?.tx_hash.toString('hex') })
  const path = 'wallet/gettransactioninfobyid'
  const answer = await fetch(`${host().tronUrl}/${path}`, { method: 'POST', body })
  const { receipt } = (await answer.json()) as { receipt: { energy_usage_total: number } }
  const expected = 2 * receipt.energy_usage_total * 100 + bandwidthSun
  expect(Math.abs(Number(needed) - expected)).toBeLessThan(bandwidthSun / 10)
  await restore()
})

test('[T080] concurrent requests with one cause create one payout', async () => {
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

test('[T074] receiver and amount of a payout can never be changed', async () => {
  const id = await givenPayout()
  const { db } = database
  const change = (values: object) =>
    db.updateTable('payout').set(values).where('id', '=', id).execute()
  for (const values of [{ to_address: Buffer.alloc(20, 1) }, { amount: 2n }, { cause: 'x' }]) {
    await expect(change(values)).rejects.toMatchObject({ constraint: 'payout_fixed' })
  }
  const erase = db.deleteFrom('payout').execute()
  await expect(erase).rejects.toMatchObject({ constraint: 'payout_fixed' })
  await expect(change({ state: 'sent' })).resolves.toBeDefined()
  await expect(change({ state: 'returned' })).rejects.toMatchObject({ constraint: 'payout_moves' })
})
