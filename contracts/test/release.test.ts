import { encodeFunctionData, type Hex, parseEventLogs, toFunctionSelector } from 'viem'
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

let chain: Chain
let system: System
/** The end of Alice's stake of 50, which is stake 1. Stake 2 is Bob's, of 20, and ends a day later. */
let end: bigint

useChain(async (started) => {
  chain = started
  system = await deploySystem(chain, await deployHostileToken(chain))
  await givenFundedPlan(chain, system)
  const { start } = await givenStake(chain, system, { staker: ALICE })
  end = start + PLAN_DAYS * DAY
  await chain.at(start + DAY)
  await givenStake(chain, system, { staker: BOB, amount: 20n * DCT })
})

const release = (caller: Hex, stakeId = 1n) =>
  chain.send(caller, system.staking, 'release', [stakeId])

async function expectRefusal(call: () => Promise<unknown>, refusal: unknown[]) {
  const before = await moneyOf(chain, system)
  expect(await refusalOf(call, system.staking.abi)).toEqual(refusal)
  expect(await moneyOf(chain, system)).toEqual(before)
}

async function expectReleased(call: () => Promise<unknown>) {
  await call()
  expect(await balanceOf(chain, system.token, ALICE)).toBe(50n * DCT)
  expect(await moneyOf(chain, system)).toMatchObject({
    inStaking: 20n * DCT,
    totalLocked: 20n * DCT,
  })
}

test('a stake that does not exist cannot be released', async () => {
  await chain.at(end)
  await expectRefusal(() => release(ALICE, 0n), ['Staking_UnknownStake', 0n])
  await expectRefusal(() => release(ALICE, 3n), ['Staking_UnknownStake', 3n])
})

test('[T053] a stake is refused one second before its end and released at its end', async () => {
  await chain.at(end - 1n)
  await expectRefusal(() => release(ALICE), ['Staking_NotEnded', 1n, end])
  await chain.at(end)
  const receipt = await release(ALICE)
  const logs = parseEventLogs({ abi: system.staking.abi, logs: logsOf(receipt, system.staking) })
  expect(logs.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
    { eventName: 'Released', args: { stakeId: 1n, staker: ALICE, amount: 50n * DCT } },
  ])
  expect(await balanceOf(chain, system.token, ALICE)).toBe(50n * DCT)
  const stake = await chain.client.readContract({
    ...system.staking,
    functionName: 'stakes',
    args: [1n],
  })
  expect(stake).toMatchObject({ released: true, amount: 50n * DCT, staker: ALICE })
})

test.each([
  { name: 'a stranger', caller: STRANGER },
  { name: 'another staker', caller: BOB },
  { name: 'the owner', caller: OWNER },
  { name: 'the operator', caller: OPERATOR },
])('[T053] capital released by $name goes to its staker only', async ({ caller }) => {
  await chain.at(end)
  const before = await balanceOf(chain, system.token, caller)
  await expectReleased(() => release(caller))
  expect(await balanceOf(chain, system.token, caller)).toBe(before)
})

test('[T053] capital is returned once, no matter who calls again', async () => {
  await chain.at(end)
  await release(ALICE)
  await expectRefusal(() => release(ALICE), ['Staking_AlreadyReleased', 1n])
  await expectRefusal(() => release(STRANGER), ['Staking_AlreadyReleased', 1n])
})

test('capital is returned despite pauses, a closed plan or an empty pool', async () => {
  await chain.send(OPERATOR, system.pool, 'closePlan', [PLAN])
  await chain.send(OWNER, system.pool, 'pausePayouts', [])
  await chain.send(OWNER, system.staking, 'pauseJoins', [])
  await chain.at(end + DAY + 365n * DAY)
  const { plan } = await moneyOf(chain, system)
  const free = plan.funded - plan.reserved
  await chain.send(OWNER, system.pool, 'withdrawFree', [PLAN, OWNER, free])
  await chain.at(end + DAY + 365n * DAY + 60n)
  await chain.send(OWNER, system.pool, 'withdrawLapsed', [PLAN, OWNER])
  expect(await balanceOf(chain, system.token, system.pool.address)).toBe(0n)
  await expectReleased(() => release(STRANGER))
  await release(STRANGER, 2n)
  expect(await balanceOf(chain, system.token, BOB)).toBe(20n * DCT)
})

test.each<Behaviour>(['denies', 'mute'])(
  '[T078] capital is released although the token %s, because balances are trusted and return values are not',
  async (behaviour) => {
    await chain.at(end)
    await setTokenBehaviour(chain, system.token, behaviour)
    await expectReleased(() => release(STRANGER))
  },
)

test.each<{ behaviour: Behaviour; error: string }>([
  { behaviour: 'lies', error: 'TokenTransfers_BalanceMismatch' },
  { behaviour: 'stuck', error: 'TokenTransfers_CallFailed' },
  { behaviour: 'taxesSender', error: 'TokenTransfers_BalanceMismatch' },
])(
  'a token that $behaviour releases nothing, and the stake can be released later',
  async (hostile) => {
    await chain.at(end)
    await setTokenBehaviour(chain, system.token, hostile.behaviour)
    const before = await moneyOf(chain, system)
    for (const caller of [ALICE, STRANGER]) {
      expect((await refusalOf(() => release(caller), system.staking.abi))[0]).toBe(hostile.error)
      expect(await moneyOf(chain, system)).toEqual(before)
    }
    await setTokenBehaviour(chain, system.token, 'honest')
    await expectReleased(() => release(STRANGER))
  },
)

test('with a reverting token the release fails with the token’s reason', async () => {
  await chain.at(end)
  await setTokenBehaviour(chain, system.token, 'stuck')
  const reason = toFunctionSelector('HostileToken_Stuck()')
  await expectRefusal(() => release(ALICE), ['TokenTransfers_CallFailed', reason])
})

test('when the token takes a fee, only the staker, not a stranger, can release the capital', async () => {
  await chain.at(end)
  await setTokenBehaviour(chain, system.token, 'taxesReceiver')
  const delivered = 50n * DCT - 1n
  const refusal = ['TokenTransfers_BalanceMismatch', ALICE, 50n * DCT, delivered]
  await expectRefusal(() => release(STRANGER), refusal)
  await release(ALICE)
  expect(await balanceOf(chain, system.token, ALICE)).toBe(delivered)
  expect(await moneyOf(chain, system)).toMatchObject({
    inStaking: 20n * DCT,
    totalLocked: 20n * DCT,
  })
})

test.each([1n, 2n])(
  '[T053] a token that reenters to release stake %s as well releases the capital of one stake only',
  async (inner) => {
    await chain.at(end + DAY)
    const again = encodeFunctionData({
      abi: system.staking.abi,
      functionName: 'release',
      args: [inner],
    })
    await armToken(chain, system.token, system.staking.address, again)
    await expectReleased(() => release(STRANGER))
    const refused = toFunctionSelector('ReentrancyGuardReentrantCall()')
    expect(await reentryOf(chain, system.token)).toEqual({ succeeded: false, result: refused })
  },
)
