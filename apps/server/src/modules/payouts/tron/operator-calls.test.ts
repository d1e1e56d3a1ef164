import { encodeCall } from '@dct/chain-clients/senders/index'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { decodeFunctionResult, type Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { isBroadcast, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
import {
  addressesOf,
  callTron,
  dctOf,
  emptyAccount,
  givenHolder,
  givenStake,
  tronNodeOf,
} from '../../../testing/sender-chains.ts'
import { adminDeps, type SenderWorld, senderWorld, tronSenderOf } from '../../../testing/senders.ts'
import { type OperatorCallInput, requestOperatorCall } from '../index.ts'
import { giveUpCall, openCalls, retryCall } from '../manage-calls.ts'

const host = useChainHost()
const database = useTestDatabase()
let world: SenderWorld
let count = 0
beforeEach(async () => {
  await wipe(database.db)
  world = senderWorld(database.db, host())
})

const request = (cause: string, call: OperatorCallInput) =>
  inTransaction(database.db, (tx) => requestOperatorCall(tx, { cause, call, at: realClock.now() }))

function newPlan() {
  count += 1
  return { code: `PLAN-${count}`, durationDays: 2, totalBps: 100n }
}

const openCall = ({ code, durationDays, totalBps }: ReturnType<typeof newPlan>) =>
  ({ kind: 'openPlan', planCode: code, durationDays, totalBps }) as const

async function stateOf(planCode: string): Promise<number> {
  const contract = addressesOf(host()).rewardPool
  const data = encodeCall(rewardPoolAbi, 'plans', [planCode])
  const outcome = await tronNodeOf(host()).readFinal({ from: contract, contract, data })
  if (!outcome.succeeded) throw new Error('the plan cannot be read')
  return decodeFunctionResult({ abi: rewardPoolAbi, functionName: 'plans', data: outcome.output })
    .state
}

async function sentCalls() {
  return database.db.selectFrom('send_attempt').selectAll().orderBy('id').execute()
}

test('a plan is opened once, however often that is requested', async () => {
  const plan = newPlan()
  await Promise.all(Array.from({ length: 16 }, () => request(`${plan.code}:open`, openCall(plan))))
  await Promise.all([runToEnd(world, tronSenderOf(world)), runToEnd(world, tronSenderOf(world))])
  expect(await stateOf(plan.code)).toBe(1)
  expect((await sentCalls()).map(({ state }) => state)).toEqual(['confirmed'])
  expect(world.doneCalls).toMatchObject([{ kind: 'openPlan', planCode: plan.code }])
})

test('opening and closing one plan happen in the order of the requests', async () => {
  const plan = newPlan()
  await request('1', openCall(plan))
  await request('2', { kind: 'closePlan', planCode: plan.code })
  await request('3', openCall(plan))
  await request('4', { kind: 'closePlan', planCode: plan.code })
  await runToEnd(world, tronSenderOf(world))
  expect(await stateOf(plan.code)).toBe(2)
  expect(world.doneCalls.map(({ cause }) => cause)).toEqual(['1', '2', '3', '4'])
  expect(await sentCalls()).toHaveLength(4)
})

test('a call that is already done on chain is not sent', async () => {
  const plan = newPlan()
  const contract = addressesOf(host()).rewardPool
  const args = [plan.code, BigInt(plan.durationDays), plan.totalBps] as const
  const data = encodeCall(rewardPoolAbi, 'openPlan', args)
  await callTron(host(), host().serviceKeys.operator.tronPrivateKey, { contract, data })
  await request('open', openCall(plan))
  await runToEnd(world, tronSenderOf(world))
  expect(await sentCalls()).toEqual([])
  expect(world.doneCalls).toMatchObject([{ cause: 'open', txHash: null }])
})

test('[T082] a plan that somebody opened under other terms does not count as opened, and raises an alarm', async () => {
  const plan = newPlan()
  const contract = addressesOf(host()).rewardPool
  const data = encodeCall(rewardPoolAbi, 'openPlan', [plan.code, 1n, 10_000n])
  await callTron(host(), host().serviceKeys.operator.tronPrivateKey, { contract, data })
  await request('open', openCall(plan))
  await runToEnd(world, tronSenderOf(world))
  expect(world.doneCalls).toEqual([])
  expect(await sentCalls()).toEqual([])
  const call = await database.db.selectFrom('operator_call').selectAll().executeTakeFirstOrThrow()
  expect(call).toMatchObject({ state: 'waiting', wait_reason: 'TERMS_DIFFER' })
  const alarms = await database.db.selectFrom('alarm').select(['kind', 'message']).execute()
  expect(alarms).toEqual([
    {
      kind: 'payout.waiting',
      message: expect.stringContaining('opened on chain with different terms'),
    },
  ])
})

test('giving up on a plan opened under other terms clears the alarm, and the plan can be closed', async () => {
  const plan = newPlan()
  const contract = addressesOf(host()).rewardPool
  const data = encodeCall(rewardPoolAbi, 'openPlan', [plan.code, 1n, 10_000n])
  await callTron(host(), host().serviceKeys.operator.tronPrivateKey, { contract, data })
  await request('open', openCall(plan))
  await request('close', { kind: 'closePlan', planCode: plan.code })
  await runToEnd(world, tronSenderOf(world))
  expect(await stateOf(plan.code)).toBe(1)
  const { db } = database
  const { id } = await db
    .selectFrom('operator_call')
    .select('id')
    .where('cause', '=', 'open')
    .executeTakeFirstOrThrow()
  await giveUpCall(adminDeps(world), { callId: id, adminId: 1n })
  expect(await openAlarms(db)).toEqual([])
  await runToEnd(world, tronSenderOf(world))
  expect(await stateOf(plan.code)).toBe(2)
})

test('a stake is released after its end, not before, and its capital goes to the staker', async () => {
  const plan = newPlan()
  await request('open', openCall(plan))
  await runToEnd(world, tronSenderOf(world))
  await host().control.fundPlan({ planCode: plan.code, amount: '100' })
  const holder = await givenHolder(host())
  const { stakeId } = await givenStake(host(), { holder, amount: 10_000_000n, plan })
  await request('release', { kind: 'release', stakeId })
  const sender = tronSenderOf(world)
  expect(await sender.step()).toBe(true)
  expect(await dctOf(host(), holder.address)).toBe(90_000_000n)
  const at = realClock.now().getTime() + 3 * DAY_MS
  await host().control.advanceTo({ timestampMs: at })
  await runToEnd(world, sender)
  expect(await dctOf(host(), holder.address)).toBe(100_000_000n)
})

test('a call that failed twice in final blocks waits with an alarm, which a retry clears', async () => {
  const proxy = await startFaultyProxy(host().tronUrl)
  proxy.setFaults((one) => (isBroadcast(one) ? 'lose-request' : 'none'))
  const lossy = { ...world, chains: { ...host(), tronUrl: proxy.url } }
  const { owner, operator } = host().serviceKeys
  const setOperator = async (address: Hex) => {
    const data = encodeCall(rewardPoolAbi, 'setOperator', [address])
    const contract = addressesOf(host()).rewardPool
    await callTron(host(), owner.tronPrivateKey, { contract, data })
  }
  const plan = newPlan()
  await request('open', openCall(plan))
  await request('close', { kind: 'closePlan', planCode: plan.code })
  const failOnce = async () => {
    await tronSenderOf(lossy).step()
    await setOperator(emptyAccount().address)
    await runToEnd(world, tronSenderOf(world))
    await setOperator(rawKeySigner(operator.tronPrivateKey).address)
  }
  await failOnce()
  await failOnce()
  const alarms = async () => (await openAlarms(database.db)).map(({ kind }) => kind)
  expect(await openCalls(database.db)).toMatchObject([
    { kind: 'openPlan', state: 'waiting', failures: 2 },
    { kind: 'closePlan', state: 'waiting' },
  ])
  expect(await alarms()).toContain('payout.waiting')
  const [held] = await openCalls(database.db)
  await retryCall(adminDeps(world), { callId: held?.id ?? 0n, adminId: 1n })
  expect(await alarms()).not.toContain('payout.waiting')
  // The count has restarted.
  await failOnce()
  await proxy.stop()
  expect((await openCalls(database.db))[0]).toMatchObject({ state: 'waiting', failures: 1 })
  await runToEnd(world, tronSenderOf(world))
  expect(await stateOf(plan.code)).toBe(2)
  expect(world.doneCalls.map(({ cause }) => cause)).toEqual(['open', 'close'])
})

test('a stake released by somebody else counts as released', async () => {
  const plan = newPlan()
  await request('open', openCall(plan))
  await runToEnd(world, tronSenderOf(world))
  await host().control.fundPlan({ planCode: plan.code, amount: '100' })
  const holder = await givenHolder(host())
  const { stakeId } = await givenStake(host(), { holder, amount: 10_000_000n, plan })
  const at = realClock.now().getTime() + 9 * DAY_MS
  await host().control.advanceTo({ timestampMs: at })
  const data = encodeCall(stakingAbi, 'release', [stakeId])
  await callTron(host(), holder.privateKey.slice(2), {
    contract: addressesOf(host()).staking,
    data,
  })
  await request('release', { kind: 'release', stakeId })
  await runToEnd(world, tronSenderOf(world))
  expect(world.doneCalls.at(-1)).toMatchObject({ kind: 'release', stakeId, txHash: null })
})
