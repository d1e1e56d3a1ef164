import { encodeCall } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { decodeFunctionResult } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/db.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import {
  addressesOf,
  callTron,
  dctOf,
  givenHolder,
  givenStake,
  tronNodeOf,
} from '../../testing/sender-chains.ts'
import { runToEnd, type SenderWorld, senderWorld, tronSenderOf } from '../../testing/senders.ts'
import { type OperatorCallInput, requestOperatorCall } from './index.ts'

const host = useChainHost()
let database: TestDatabase
let world: SenderWorld
let count = 0
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
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

test('a plan is opened once, however often it is asked for', async () => {
  const plan = newPlan()
  await Promise.all(Array.from({ length: 16 }, () => request(`${plan.code}:open`, openCall(plan))))
  await Promise.all([runToEnd(world, tronSenderOf(world)), runToEnd(world, tronSenderOf(world))])
  expect(await stateOf(plan.code)).toBe(1)
  expect((await sentCalls()).map(({ state }) => state)).toEqual(['WON'])
  expect(world.doneCalls).toMatchObject([{ kind: 'openPlan', planCode: plan.code }])
})

test('opening and closing of one plan happen in the order they were asked for', async () => {
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

test('what the chain shows as done is not sent', async () => {
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

test('a stake is released after its end and not before; its capital goes to the staker', async () => {
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

test('a stake that somebody else released counts as released', async () => {
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
