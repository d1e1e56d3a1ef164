import { type Address, encodeFunctionData, parseEventLogs, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { type Chain, logsOf, refusalOf, useChain } from './support/chain.ts'
import {
  armToken,
  type Behaviour,
  deployHostileToken,
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
  givenStake,
  moneyOf,
  OPERATOR,
  OWNER,
  PLAN,
  PLAN_DAYS,
  STRANGER,
  type System,
} from './support/system.ts'

/** 50 DCT at 72 % pay 0.1 DCT a day. */
const REWARD = 36n * DCT
const DAILY = REWARD / PLAN_DAYS

let chain: Chain
let system: System
let start: bigint

useChain(async (started) => {
  chain = started
  system = await deploySystem(chain, await deployHostileToken(chain))
  await givenFundedPlan(chain, system)
  await givenFundedPlan(chain, system, { code: 'OTHER' })
  await givenStake(chain, system, { staker: BOB, code: 'OTHER' })
  start = (await givenStake(chain, system, { staker: ALICE })).start
})

function pay(payout: {
  code?: string
  to?: Address
  before?: bigint
  amount: bigint
  from?: Address
}) {
  const { code = PLAN, to = ALICE, before = 0n, amount, from = OPERATOR } = payout
  return chain.send(from, system.pool, 'payReward', [code, to, before, amount])
}

const paidOf = async (to: Address) =>
  (
    await chain.client.readContract({
      ...system.pool,
      functionName: 'entitlementOf',
      args: [PLAN, to],
    })
  ).paid
const payableNow = (to: Address, code = PLAN) =>
  chain.client.readContract({ ...system.pool, functionName: 'payableNow', args: [code, to] })

async function expectRefusal(call: () => Promise<unknown>, refusal: unknown[]) {
  const before = await moneyOf(chain, system)
  expect(await refusalOf(call, system.pool.abi)).toEqual(refusal)
  expect(await moneyOf(chain, system)).toEqual(before)
}

test('a payout moves its amount from reserved to paid and from the pool to the staker', async () => {
  await chain.at(start + 2n * DAY)
  const receipt = await pay({ amount: 3n * DAILY })
  const logs = parseEventLogs({ abi: system.pool.abi, logs: logsOf(receipt, system.pool) })
  expect(logs.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
    {
      eventName: 'RewardPaid',
      args: { planCode: PLAN, to: ALICE, amount: 3n * DAILY, total: 3n * DAILY },
    },
  ])
  expect(await balanceOf(chain, system.token, ALICE)).toBe(3n * DAILY)
  const { plan } = await moneyOf(chain, system)
  expect(plan).toMatchObject({ paid: 3n * DAILY, reserved: REWARD - 3n * DAILY })
  const entitlement = await chain.client.readContract({
    ...system.pool,
    functionName: 'entitlementOf',
    args: [PLAN, ALICE],
  })
  expect(entitlement).toEqual({ reward: REWARD, paid: 3n * DAILY, start: Number(start) })
})

test('[T082] only the current operator can pay', async () => {
  for (const from of [STRANGER, OWNER, ALICE]) {
    await expectRefusal(() => pay({ amount: DAILY, from }), ['RewardPool_OnlyOperator', from])
  }
  await chain.send(OWNER, system.pool, 'setOperator', [STRANGER])
  await expectRefusal(() => pay({ amount: DAILY }), ['RewardPool_OnlyOperator', OPERATOR])
  await pay({ amount: DAILY, from: STRANGER })
})

test('[T082] a paused pool pays nobody', async () => {
  await chain.send(OWNER, system.pool, 'pausePayouts', [])
  await expectRefusal(() => pay({ amount: DAILY }), ['EnforcedPause'])
  await chain.send(OWNER, system.pool, 'unpausePayouts', [])
  await pay({ amount: DAILY })
})

test('a payment must have an amount', async () => {
  await expectRefusal(() => pay({ amount: 0n }), ['RewardPool_ZeroAmount'])
})

test('[T082] a payment counts once: it states what was paid before', async () => {
  await chain.at(start + 5n * DAY)
  await expectRefusal(() => pay({ before: 1n, amount: DAILY }), ['RewardPool_PaidDiffers', 0n])
  await pay({ amount: DAILY })
  const refusal = ['RewardPool_PaidDiffers', DAILY]
  await expectRefusal(() => pay({ amount: DAILY }), refusal)
  await expectRefusal(() => pay({ amount: 1n }), refusal)
  await expectRefusal(() => pay({ before: DAILY - 1n, amount: 1n }), refusal)
  await expectRefusal(() => pay({ before: 2n ** 96n + DAILY, amount: DAILY }), refusal)
  const receipt = await pay({ before: DAILY, amount: 2n * DAILY })
  const logs = parseEventLogs({ abi: system.pool.abi, logs: logsOf(receipt, system.pool) })
  expect(logs).toMatchObject([{ args: { amount: 2n * DAILY, total: 3n * DAILY } }])
  // An account of its own in each plan.
  await pay({ code: 'OTHER', to: BOB, amount: 1n })
})

test('[T082] the operator key can only pay stakers of that plan', async () => {
  for (const to of [STRANGER, OPERATOR, system.pool.address]) {
    await expectRefusal(() => pay({ to, amount: 1n }), ['RewardPool_NotStaker', to])
  }
  await expectRefusal(() => pay({ to: BOB, amount: 1n }), ['RewardPool_NotStaker', BOB])
  await expectRefusal(() => pay({ code: 'NOWHERE', amount: 1n }), ['RewardPool_NotStaker', ALICE])
})

test('[T082] the operator key can pay exactly what has vested so far', async () => {
  await expectRefusal(
    () => pay({ amount: DAILY + 1n }),
    ['RewardPool_NotVested', DAILY, DAILY + 1n],
  )
  await pay({ amount: DAILY })
  const more = () => pay({ before: DAILY, amount: 1n })
  await chain.at(start + DAY - 1n)
  await expectRefusal(more, ['RewardPool_NotVested', 0n, 1n])
  await chain.at(start + DAY)
  await expectRefusal(
    () => pay({ before: DAILY, amount: DAILY + 1n }),
    ['RewardPool_NotVested', DAILY, DAILY + 1n],
  )
  await pay({ before: DAILY, amount: DAILY })
})

test('[T082] the operator key can pay no more than the reward of a stake', async () => {
  await chain.at(start + (PLAN_DAYS - 1n) * DAY - 1n)
  const allButOne = REWARD - DAILY
  await expectRefusal(() => pay({ amount: REWARD }), ['RewardPool_NotVested', allButOne, REWARD])
  await chain.at(start + (PLAN_DAYS - 1n) * DAY)
  await pay({ amount: REWARD })
  await chain.at(start + 10n * PLAN_DAYS * DAY)
  await expectRefusal(() => pay({ before: REWARD, amount: 1n }), ['RewardPool_NotVested', 0n, 1n])
  expect((await moneyOf(chain, system)).plan).toMatchObject({ reserved: 0n, paid: REWARD })
})

test('rewards are still paid while joins are paused, the plan is closed and the capital is returned', async () => {
  await chain.send(OWNER, system.staking, 'pauseJoins', [])
  await chain.send(OPERATOR, system.pool, 'closePlan', [PLAN])
  await chain.at(start + PLAN_DAYS * DAY)
  await chain.send(STRANGER, system.staking, 'release', [2n])
  await chain.at(start + (PLAN_DAYS + 209n) * DAY)
  await pay({ amount: REWARD })
  expect(await balanceOf(chain, system.token, ALICE)).toBe(50n * DCT + REWARD)
})

test.each<Behaviour>(['denies', 'mute'])(
  '[T078] a reward is paid although the token %s, because balances are trusted and return values are not',
  async (behaviour) => {
    await setTokenBehaviour(chain, system.token, behaviour)
    await pay({ amount: DAILY })
    expect(await balanceOf(chain, system.token, ALICE)).toBe(DAILY)
    expect(await paidOf(ALICE)).toBe(DAILY)
  },
)

test.each<{ behaviour: Behaviour; error: string }>([
  { behaviour: 'lies', error: 'TokenTransfers_BalanceMismatch' },
  { behaviour: 'stuck', error: 'TokenTransfers_CallFailed' },
  { behaviour: 'taxesSender', error: 'TokenTransfers_BalanceMismatch' },
  { behaviour: 'taxesReceiver', error: 'TokenTransfers_BalanceMismatch' },
])(
  '[T078] a token that $behaviour leaves the payout unpaid and payable',
  async ({ behaviour, error }) => {
    await setTokenBehaviour(chain, system.token, behaviour)
    const before = await moneyOf(chain, system)
    expect((await refusalOf(() => pay({ amount: DAILY }), system.pool.abi))[0]).toBe(error)
    expect(await moneyOf(chain, system)).toEqual(before)
    expect(await paidOf(ALICE)).toBe(0n)
    await setTokenBehaviour(chain, system.token, 'honest')
    await pay({ amount: DAILY })
    expect(await balanceOf(chain, system.token, ALICE)).toBe(DAILY)
  },
)

test('a token cannot reenter a payout, even as the operator', async () => {
  const { pool, token } = system
  await chain.send(OWNER, pool, 'setOperator', [token.address])
  await chain.at(start + 10n * DAY)
  for (const [before, inner] of [
    [0n, 0n],
    [DAILY, 2n * DAILY],
  ] as const) {
    const again = encodeFunctionData({
      abi: pool.abi,
      functionName: 'payReward',
      args: [PLAN, ALICE, inner, DAILY],
    })
    await armToken(chain, token, pool.address, again)
    await pay({ before, amount: DAILY, from: token.address })
    const refused = toFunctionSelector('ReentrancyGuardReentrantCall()')
    expect(await reentryOf(chain, token)).toEqual({ succeeded: false, result: refused })
  }
  expect(await balanceOf(chain, token, ALICE)).toBe(2n * DAILY)
})

test('payableNow returns the maximum that payReward would pay', async () => {
  expect(await payableNow(STRANGER)).toBe(0n)
  expect(await payableNow(ALICE, 'OTHER')).toBe(0n)
  await chain.at(start + 5n * DAY)
  await pay({ amount: DAILY })
  expect(await payableNow(ALICE)).toBe(5n * DAILY)
  await pay({ before: DAILY, amount: 5n * DAILY })
  expect(await payableNow(ALICE)).toBe(0n)
})
