import {
  type Address,
  encodeFunctionData,
  keccak256,
  parseEventLogs,
  toFunctionSelector,
  toHex,
} from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { type Chain, logsOf, refusalOf, useChain } from './support/chain.ts'
import {
  armToken,
  type Behaviour,
  deployHostileToken,
  hostileTokenAbi,
  reentryOf,
  setTokenBehaviour,
} from './support/hostile.ts'
import {
  ALICE,
  BOB,
  balanceOf,
  DAY,
  DCT,
  deploySystem,
  givenFundedPlan,
  givenHolder,
  givenStake,
  moneyOf,
  OPERATOR,
  OWNER,
  PLAN,
  PLAN_DAYS,
  type System,
} from './support/system.ts'

let chain: Chain
let system: System
let deployed: System

useChain(async (started) => {
  chain = started
  deployed = await deploySystem(chain, await deployHostileToken(chain))
})
beforeEach(() => {
  system = deployed
})

const join = (staker: Address, amount: bigint, code = PLAN, days = PLAN_DAYS) =>
  chain.send(staker, system.staking, 'joinStake', [amount, code, days])

const stakeAt = (id: bigint) =>
  chain.client.readContract({ ...system.staking, functionName: 'stakes', args: [id] })

const stakeIdOf = (staker: Address, code: string) =>
  chain.client.readContract({ ...system.staking, functionName: 'stakeOf', args: [staker, code] })

async function expectRefusal(call: () => Promise<unknown>, refusal: unknown[], code = PLAN) {
  const before = await moneyOf(chain, system, code)
  expect(await refusalOf(call, system.staking.abi)).toEqual(refusal)
  expect(await moneyOf(chain, system, code)).toEqual(before)
}

test('a join locks the amount and reserves the staker’s whole reward', async () => {
  await givenFundedPlan(chain, system)
  await givenHolder(chain, system, ALICE, 60n * DCT)
  const start = (await chain.now()) + 100n
  await chain.at(start)
  const receipt = await join(ALICE, 33_333_333n)

  const reward = 23_999_999n // 33.333333 * 72 % = 23.99999976, rounded down
  const end = start + PLAN_DAYS * DAY
  const logs = parseEventLogs({ abi: system.staking.abi, logs: logsOf(receipt, system.staking) })
  expect(logs.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
    {
      eventName: 'Staked',
      args: {
        stakeId: 1n,
        staker: ALICE,
        planKey: keccak256(toHex(PLAN)),
        planCode: PLAN,
        amount: 33_333_333n,
        reward,
        start,
        end,
      },
    },
  ])
  expect(await stakeAt(1n)).toEqual({
    staker: ALICE,
    amount: 33_333_333n,
    reward,
    start: Number(start),
    end: Number(end),
    released: false,
    planCode: PLAN,
  })
  expect(await stakeIdOf(ALICE, PLAN)).toBe(1n)
  const money = await moneyOf(chain, system)
  expect(money).toMatchObject({ inStaking: 33_333_333n, totalLocked: 33_333_333n, stakeCount: 1n })
  expect(money.plan).toMatchObject({ reserved: reward, paid: 0n, lastStakeEnd: Number(end) })
  expect(await balanceOf(chain, system.token, ALICE)).toBe(60n * DCT - 33_333_333n)
})

test('[CHAIN-06] joinStake takes amount, plan code and duration in that order', async () => {
  await givenFundedPlan(chain, system, { code: 'A', days: 365n })
  await givenHolder(chain, system, ALICE, 50n * DCT)
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const text = Buffer.from('A').toString('hex').padEnd(64, '0')
  // Encoded manually, not with our ABI: amount, offset of the text, duration; then the text's length and bytes.
  const words = [word(12_345_678n), word(96n), word(365n), word(1n), text]
  const selector = toFunctionSelector('joinStake(uint256,string,uint256)')
  const receipt = await chain.sendRaw(ALICE, system.staking.address, `${selector}${words.join('')}`)
  const [staked] = parseEventLogs({ abi: system.staking.abi, logs: receipt.logs })
  expect(staked?.args).toMatchObject({ amount: 12_345_678n, planCode: 'A', staker: ALICE })
  const { start, end } = await stakeAt(1n)
  expect(BigInt(end - start)).toBe(365n * DAY)
})

test('[T029] 9.999999, 50.000001 and 1,000 tokens sent straight to the contract are refused', async () => {
  await givenFundedPlan(chain, system)
  await givenHolder(chain, system, ALICE, 2_000n * DCT)
  for (const amount of [0n, 10n * DCT - 1n, 50n * DCT + 1n, 1_000n * DCT]) {
    await expectRefusal(() => join(ALICE, amount), ['Staking_AmountOutOfRange', amount])
  }
})

test.each([
  { decimals: 6, unit: DCT },
  { decimals: 18, unit: 10n ** 18n },
  { decimals: 0, unit: 1n },
])(
  'exactly 10 and exactly 50 tokens of $decimals decimals are accepted',
  async ({ decimals, unit }) => {
    system = await deploySystem(chain, await deployHostileToken(chain, decimals))
    const { staking } = system
    expect(await chain.client.readContract({ ...staking, functionName: 'minAmount' })).toBe(
      10n * unit,
    )
    expect(await chain.client.readContract({ ...staking, functionName: 'maxAmount' })).toBe(
      50n * unit,
    )
    await givenFundedPlan(chain, system, { funds: 1_000n * unit })
    await givenStake(chain, system, { staker: ALICE, amount: 10n * unit })
    await givenStake(chain, system, { staker: BOB, amount: 50n * unit })
    expect((await moneyOf(chain, system)).totalLocked).toBe(60n * unit)
  },
)

test('[T029] a second stake of the same address in the same plan is refused, even after the release', async () => {
  await givenFundedPlan(chain, system)
  const { start } = await givenStake(chain, system, { staker: ALICE })
  await givenHolder(chain, system, ALICE, 100n * DCT)
  await expectRefusal(() => join(ALICE, 50n * DCT), ['Staking_AlreadyStaked', 1n])
  await chain.at(start + PLAN_DAYS * DAY)
  await chain.send(ALICE, system.staking, 'release', [1n])
  await expectRefusal(() => join(ALICE, 50n * DCT), ['Staking_AlreadyStaked', 1n])
})

test('one holder may join several plans, and several holders one plan', async () => {
  await givenFundedPlan(chain, system)
  await givenFundedPlan(chain, system, { code: 'PLAN-720', days: 720n, bps: 21_600n })
  await givenStake(chain, system, { staker: ALICE })
  await givenStake(chain, system, { staker: ALICE, code: 'PLAN-720', days: 720n })
  await givenStake(chain, system, { staker: BOB })
  expect(await stakeIdOf(ALICE, PLAN)).toBe(1n)
  expect(await stakeIdOf(ALICE, 'PLAN-720')).toBe(2n)
  expect(await stakeIdOf(BOB, PLAN)).toBe(3n)
  expect(await stakeIdOf(BOB, 'PLAN-720')).toBe(0n)
  expect((await moneyOf(chain, system)).totalLocked).toBe(150n * DCT)
})

test('[T029] a plan that was never opened, is closed or is retired cannot be joined', async () => {
  await givenFundedPlan(chain, system)
  const { start } = await givenStake(chain, system, { staker: BOB })
  await givenHolder(chain, system, ALICE, 50n * DCT)
  await expectRefusal(
    () => join(ALICE, 50n * DCT, 'NOWHERE'),
    ['RewardPool_PlanNotOpen', 'NOWHERE'],
  )
  await chain.send(OPERATOR, system.pool, 'closePlan', [PLAN])
  await expectRefusal(() => join(ALICE, 50n * DCT), ['RewardPool_PlanNotOpen', PLAN])
  await chain.at(start + (PLAN_DAYS + 365n) * DAY)
  await chain.send(OWNER, system.pool, 'withdrawLapsed', [PLAN, OWNER])
  await expectRefusal(() => join(ALICE, 50n * DCT), ['RewardPool_PlanNotOpen', PLAN])
})

test('[T029] a duration other than the plan’s is refused', async () => {
  await givenFundedPlan(chain, system)
  await givenHolder(chain, system, ALICE, 50n * DCT)
  for (const days of [0n, PLAN_DAYS - 1n, PLAN_DAYS + 1n, 2n ** 256n - 1n]) {
    const refusal = ['RewardPool_WrongDuration', days, PLAN_DAYS]
    await expectRefusal(() => join(ALICE, 50n * DCT, PLAN, days), refusal)
  }
})

test('a stake is refused when the plan is one unit short of its whole reward', async () => {
  await givenFundedPlan(chain, system, { funds: 36n * DCT - 1n })
  await givenHolder(chain, system, ALICE, 50n * DCT)
  const refusal = ['RewardPool_InsufficientFree', 36n * DCT - 1n, 36n * DCT]
  await expectRefusal(() => join(ALICE, 50n * DCT), refusal)
  await givenHolder(chain, system, BOB, 1n)
  await chain.send(BOB, system.pool, 'addRewardForPlan', [PLAN, 1n])
  await join(ALICE, 50n * DCT)
  expect((await moneyOf(chain, system)).plan.reserved).toBe(36n * DCT)
})

test('while joins are paused nobody can join, and only the owner can pause', async () => {
  await givenFundedPlan(chain, system)
  await givenHolder(chain, system, ALICE, 50n * DCT)
  await chain.send(OWNER, system.staking, 'pauseJoins', [])
  await expectRefusal(() => join(ALICE, 50n * DCT), ['EnforcedPause'])
  await chain.send(OWNER, system.staking, 'unpauseJoins', [])
  await join(ALICE, 50n * DCT)
})

test('tokens without an approval or balance are not locked', async () => {
  await givenFundedPlan(chain, system)
  const { staking, token } = system
  await expectRefusal(
    () => join(ALICE, 50n * DCT),
    ['ERC20InsufficientAllowance', staking.address, 0n, 50n * DCT],
  )
  await chain.send(ALICE, token, 'approve', [staking.address, 50n * DCT])
  await expectRefusal(
    () => join(ALICE, 50n * DCT),
    ['ERC20InsufficientBalance', ALICE, 0n, 50n * DCT],
  )
})

test.each<{ behaviour: Behaviour; error: string }>([
  { behaviour: 'denies', error: 'SafeERC20FailedOperation' },
  { behaviour: 'lies', error: 'TokenTransfers_BalanceMismatch' },
  { behaviour: 'taxesReceiver', error: 'TokenTransfers_BalanceMismatch' },
  { behaviour: 'stuck', error: 'HostileToken_Stuck' },
])('a token that $behaviour is refused on deposit', async ({ behaviour, error }) => {
  await givenFundedPlan(chain, system)
  await givenHolder(chain, system, ALICE, 50n * DCT)
  const before = await moneyOf(chain, system)
  await setTokenBehaviour(chain, system.token, behaviour)
  const refusal = await refusalOf(
    () => join(ALICE, 50n * DCT),
    [...system.staking.abi, ...hostileTokenAbi],
  )
  expect(refusal[0]).toBe(error)
  expect(await moneyOf(chain, system)).toEqual(before)
})

test.each<Behaviour>(['mute', 'taxesSender'])(
  'tokens are locked if the whole amount arrives, also when the token is %s',
  async (behaviour) => {
    await givenFundedPlan(chain, system)
    await givenHolder(chain, system, ALICE, 50n * DCT + 1n)
    await setTokenBehaviour(chain, system.token, behaviour)
    await join(ALICE, 50n * DCT)
    expect(await moneyOf(chain, system)).toMatchObject({
      inStaking: 50n * DCT,
      totalLocked: 50n * DCT,
    })
  },
)

test('a token cannot reenter a join', async () => {
  await givenFundedPlan(chain, system)
  await givenHolder(chain, system, ALICE, 50n * DCT)
  const again = encodeFunctionData({
    abi: system.staking.abi,
    functionName: 'joinStake',
    args: [50n * DCT, PLAN, PLAN_DAYS],
  })
  await armToken(chain, system.token, system.staking.address, again)
  await join(ALICE, 50n * DCT)
  const inner = await reentryOf(chain, system.token)
  expect(inner.succeeded).toBe(false)
  expect(inner.result).toBe(toFunctionSelector('ReentrancyGuardReentrantCall()'))
  expect(await moneyOf(chain, system)).toMatchObject({ inStaking: 50n * DCT, stakeCount: 1n })
})
