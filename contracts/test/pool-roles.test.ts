import { rewardPoolAbi } from '@dct/contract-abi'
import { rewardPoolBytecode } from '@dct/contract-abi/bytecode'
import { type Address, parseAbi, parseEventLogs, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { compileContract } from '../scripts/solidity.ts'
import { type Chain, type Contract, refusalOf, useChain } from './support/chain.ts'
import {
  ALICE,
  DCT,
  deploySystem,
  deployToken,
  givenFundedPlan,
  OPERATOR,
  OWNER,
  PLAN,
  PLAN_DAYS,
  STRANGER,
  type System,
} from './support/system.ts'

const looseStakingAbi = parseAbi([
  'function reserve(string planCode, address staker, uint256 amount, uint256 durationDays)',
])

let chain: Chain
let system: System

useChain(async (started) => {
  chain = started
  system = await deploySystem(chain, await deployToken(chain))
})

const build = (token: Address, owner: Address, operator: Address) =>
  chain.deploy(OWNER, {
    abi: rewardPoolAbi,
    bytecode: rewardPoolBytecode,
    args: [token, owner, operator],
  })

const refused = (call: () => Promise<unknown>) => refusalOf(call, rewardPoolAbi)

async function deployLooseStaking(pool: Address): Promise<Contract<typeof looseStakingAbi>> {
  const { abi, bytecode } = compileContract('test-contracts/LooseStaking.sol')
  const { address } = await chain.deploy(OWNER, { abi, bytecode, args: [pool] })
  return { address, abi: looseStakingAbi }
}

test('the pool cannot be deployed without a token, an owner and an operator', async () => {
  const token = system.token.address
  const zero = ['RewardPool_ZeroAddress']
  expect(await refused(() => build(zeroAddress, OWNER, OPERATOR))).toEqual(zero)
  expect(await refused(() => build(token, OWNER, zeroAddress))).toEqual(zero)
  const invalidOwner = ['OwnableInvalidOwner', zeroAddress]
  expect(await refused(() => build(token, zeroAddress, OPERATOR))).toEqual(invalidOwner)
})

test('the pool returns its token, owner, operator and staking contract', async () => {
  const { token, pool, staking } = system
  expect(await chain.client.readContract({ ...pool, functionName: 'token' })).toBe(token.address)
  expect(await chain.client.readContract({ ...pool, functionName: 'owner' })).toBe(OWNER)
  expect(await chain.client.readContract({ ...pool, functionName: 'operator' })).toBe(OPERATOR)
  expect(await chain.client.readContract({ ...pool, functionName: 'staking' })).toBe(
    staking.address,
  )
})

test('the branch trees list every function that writes to the pool', () => {
  const writing = rewardPoolAbi.flatMap((item) =>
    item.type === 'function' && item.stateMutability !== 'view' ? [item.name] : [],
  )
  expect(writing.toSorted()).toEqual([
    'acceptOwnership',
    'addRewardForPlan',
    'bindStaking',
    'closePlan',
    'openPlan',
    'pausePayouts',
    'payReward',
    'reserve',
    'setOperator',
    'setTermLimits',
    'transferOwnership',
    'unpausePayouts',
    'withdrawFree',
    'withdrawLapsed',
  ])
})

test('the owner binds the staking contract of this pool, once', async () => {
  const { token, staking } = system
  const pool = await build(token.address, OWNER, OPERATOR)
  const bind =
    (address: Address, from: Address = OWNER) =>
    () =>
      chain.send(from, pool, 'bindStaking', [address])
  const own = await deployLooseStaking(pool.address)
  expect(await chain.client.readContract({ ...pool, functionName: 'staking' })).toBe(zeroAddress)
  for (const caller of [STRANGER, OPERATOR]) {
    const unauthorized = ['OwnableUnauthorizedAccount', caller]
    expect(await refused(bind(own.address, caller))).toEqual(unauthorized)
  }
  for (const wrong of [zeroAddress, ALICE, staking.address]) {
    expect(await refused(bind(wrong))).toEqual(['RewardPool_StakingMismatch', wrong])
  }
  const receipt = await bind(own.address)()
  const [bound] = parseEventLogs({ abi: pool.abi, logs: receipt.logs })
  expect(bound).toMatchObject({ eventName: 'StakingBound', args: { staking: own.address } })
  expect(await chain.client.readContract({ ...pool, functionName: 'staking' })).toBe(own.address)
  const already = ['RewardPool_StakingAlreadyBound', own.address]
  expect(await refused(bind(own.address))).toEqual(already)
  expect(await refused(bind(staking.address))).toEqual(already)
})

test('[T082] only the staking contract can reserve: no key can promise itself a reward', async () => {
  await givenFundedPlan(chain, system)
  for (const caller of [STRANGER, OPERATOR, OWNER]) {
    const reserve = () =>
      chain.send(caller, system.pool, 'reserve', [PLAN, caller, 50n * DCT, PLAN_DAYS])
    expect(await refused(reserve)).toEqual(['RewardPool_OnlyStaking', caller])
  }
})

test('the pool itself allows only one reservation per staker and plan', async () => {
  const pool = await build(system.token.address, OWNER, OPERATOR)
  const loose = await deployLooseStaking(pool.address)
  await chain.send(OWNER, pool, 'bindStaking', [loose.address])
  await givenFundedPlan(chain, { ...system, pool })
  const reserve = () => chain.send(STRANGER, loose, 'reserve', [PLAN, ALICE, 50n * DCT, PLAN_DAYS])
  const [reserved] = parseEventLogs({ abi: pool.abi, logs: (await reserve()).logs })
  expect(reserved).toMatchObject({
    eventName: 'RewardReserved',
    args: { planCode: PLAN, staker: ALICE, amount: 36n * DCT },
  })
  expect(await refused(reserve)).toEqual(['RewardPool_AlreadyReserved', ALICE])
})

test('[T082] only the owner can replace the operator, with immediate effect', async () => {
  const { pool } = system
  const replace =
    (operator: Address, from: Address = OWNER) =>
    () =>
      chain.send(from, pool, 'setOperator', [operator])
  for (const caller of [STRANGER, OPERATOR]) {
    const unauthorized = ['OwnableUnauthorizedAccount', caller]
    expect(await refused(replace(caller, caller))).toEqual(unauthorized)
  }
  expect(await refused(replace(zeroAddress))).toEqual(['RewardPool_ZeroAddress'])
  const [changed] = parseEventLogs({ abi: pool.abi, logs: (await replace(ALICE)()).logs })
  expect(changed).toMatchObject({
    eventName: 'OperatorChanged',
    args: { previousOperator: OPERATOR, newOperator: ALICE },
  })
  const open = (from: Address) => () => chain.send(from, pool, 'openPlan', [PLAN, PLAN_DAYS, 1n])
  expect(await refused(open(OPERATOR))).toEqual(['RewardPool_OnlyOperator', OPERATOR])
  await open(ALICE)()
})

test('[T082] only the owner can limit the terms of plans, initially to 0.5 % a day and 30 days', async () => {
  const { pool } = system
  const limits = () => chain.client.readContract({ ...pool, functionName: 'termLimits' })
  const limit =
    (maxDailyBps: bigint, minDurationDays: bigint, from: Address = OWNER) =>
    () =>
      chain.send(from, pool, 'setTermLimits', [maxDailyBps, minDurationDays])
  expect(await limits()).toEqual({ maxDailyBps: 50, minDurationDays: 30 })
  for (const caller of [STRANGER, OPERATOR]) {
    const unauthorized = ['OwnableUnauthorizedAccount', caller]
    expect(await refused(limit(10_000n, 1n, caller))).toEqual(unauthorized)
  }
  const invalid = [
    [0n, 30n],
    [10_001n, 30n],
    [50n, 0n],
    [50n, 36_501n],
    [2n ** 16n + 50n, 30n],
  ] as const
  for (const [maxDailyBps, minDurationDays] of invalid) {
    const refusal = ['RewardPool_InvalidLimits', maxDailyBps, minDurationDays]
    expect(await refused(limit(maxDailyBps, minDurationDays))).toEqual(refusal)
  }
  expect(await limits()).toEqual({ maxDailyBps: 50, minDurationDays: 30 })
  const [changed] = parseEventLogs({ abi: pool.abi, logs: (await limit(1n, 36_500n)()).logs })
  expect(changed).toMatchObject({
    eventName: 'TermLimitsChanged',
    args: { maxDailyBps: 1n, minDurationDays: 36_500n },
  })
  expect(await limits()).toEqual({ maxDailyBps: 1, minDurationDays: 36_500 })
  await limit(10_000n, 1n)()
  expect(await limits()).toEqual({ maxDailyBps: 10_000, minDurationDays: 1 })
})

test('[T082] only the owner can pause payouts', async () => {
  const { pool } = system
  for (const caller of [STRANGER, OPERATOR]) {
    for (const action of ['pausePayouts', 'unpausePayouts'] as const) {
      const unauthorized = ['OwnableUnauthorizedAccount', caller]
      expect(await refused(() => chain.send(caller, pool, action, []))).toEqual(unauthorized)
    }
  }
  const paused = () => chain.client.readContract({ ...pool, functionName: 'paused' })
  const act = (action: 'pausePayouts' | 'unpausePayouts') => () =>
    chain.send(OWNER, pool, action, [])
  expect(await refused(act('unpausePayouts'))).toEqual(['ExpectedPause'])
  await act('pausePayouts')()
  expect(await paused()).toBe(true)
  expect(await refused(act('pausePayouts'))).toEqual(['EnforcedPause'])
  await act('unpausePayouts')()
  expect(await paused()).toBe(false)
})

test('ownership of the pool is transferred in two steps and cannot be renounced', async () => {
  const { pool } = system
  const owner = () => chain.client.readContract({ ...pool, functionName: 'owner' })
  const renounce = (caller: Address) => () => chain.send(caller, pool, 'renounceOwnership', [])
  const unauthorized = ['OwnableUnauthorizedAccount', STRANGER]
  expect(await refused(renounce(STRANGER))).toEqual(unauthorized)
  expect(await refused(renounce(OWNER))).toEqual(['RewardPool_OwnershipNotRenounceable'])
  await chain.send(OWNER, pool, 'transferOwnership', [ALICE])
  expect(await owner()).toBe(OWNER)
  const accept = (caller: Address) => () => chain.send(caller, pool, 'acceptOwnership', [])
  expect(await refused(accept(STRANGER))).toEqual(unauthorized)
  await accept(ALICE)()
  expect(await owner()).toBe(ALICE)
})
