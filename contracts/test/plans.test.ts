import { type Address, parseEventLogs, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { type Chain, logsOf, refusalOf, useChain } from './support/chain.ts'
import { type Behaviour, deployHostileToken, setTokenBehaviour } from './support/hostile.ts'
import {
  ALICE,
  balanceOf,
  DAY,
  DCT,
  deploySystem,
  FUNDER,
  givenFundedPlan,
  givenHolder,
  givenStake,
  moneyOf,
  OPERATOR,
  OWNER,
  PLAN,
  PLAN_BPS,
  PLAN_DAYS,
  STRANGER,
  type System,
} from './support/system.ts'

let chain: Chain
let system: System

useChain(async (started) => {
  chain = started
  system = await deploySystem(chain, await deployHostileToken(chain))
  await givenHolder(chain, system, FUNDER, 20_000n * DCT)
})

const fund = (code: string, amount: bigint, from: Address = FUNDER) =>
  chain.send(from, system.pool, 'addRewardForPlan', [code, amount])
const open = (code = PLAN, days = PLAN_DAYS, bps = PLAN_BPS, from: Address = OPERATOR) =>
  chain.send(from, system.pool, 'openPlan', [code, days, bps])
const close = (code = PLAN, from: Address = OPERATOR) =>
  chain.send(from, system.pool, 'closePlan', [code])
const withdrawFree = (amount: bigint, from: Address = OWNER) =>
  chain.send(from, system.pool, 'withdrawFree', [PLAN, ALICE, amount])
const withdrawLapsed = (from: Address = OWNER) =>
  chain.send(from, system.pool, 'withdrawLapsed', [PLAN, ALICE])
const limit = (maxDailyBps: bigint, minDurationDays: bigint) =>
  chain.send(OWNER, system.pool, 'setTermLimits', [maxDailyBps, minDurationDays])
const planOf = (code: string) =>
  chain.client.readContract({ ...system.pool, functionName: 'plans', args: [code] })
const freeOf = (code: string) =>
  chain.client.readContract({ ...system.pool, functionName: 'freeOf', args: [code] })

async function expectRefusal(call: () => Promise<unknown>, refusal: unknown[]) {
  const before = await moneyOf(chain, system)
  expect(await refusalOf(call, system.pool.abi)).toEqual(refusal)
  expect(await moneyOf(chain, system)).toEqual(before)
}

function eventsOf(receipt: Awaited<ReturnType<Chain['send']>>) {
  return parseEventLogs({ abi: system.pool.abi, logs: logsOf(receipt, system.pool) }).map(
    ({ eventName, args }) => ({ eventName, args }),
  )
}

test('anybody can fund a plan, before it is opened, while it is open and after it is closed', async () => {
  const receipt = await fund(PLAN, 7n)
  const args = { planCode: PLAN, from: FUNDER, amount: 7n }
  expect(eventsOf(receipt)).toEqual([{ eventName: 'PlanFunded', args }])
  await open()
  await fund(PLAN, 20n)
  await close()
  await givenHolder(chain, system, STRANGER, 100n)
  await fund(PLAN, 100n, STRANGER)
  await fund('PLAN-720', 1_000n)
  expect(await planOf(PLAN)).toMatchObject({ funded: 127n, reserved: 0n, paid: 0n, withdrawn: 0n })
  expect(await freeOf(PLAN)).toBe(127n)
  expect(await freeOf('PLAN-720')).toBe(1_000n)
  expect(await balanceOf(chain, system.token, system.pool.address)).toBe(1_127n)
})

test('addRewardForPlan takes the plan code and the amount, in that order', async () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const text = Buffer.from('A').toString('hex').padEnd(64, '0')
  // Encoded manually, not with our ABI: offset of the text, amount; then the text's length and bytes.
  const words = [word(64n), word(12_345_678n), word(1n), text]
  const selector = toFunctionSelector('addRewardForPlan(string,uint256)')
  const receipt = await chain.sendRaw(FUNDER, system.pool.address, `${selector}${words.join('')}`)
  const args = { planCode: 'A', from: FUNDER, amount: 12_345_678n }
  expect(eventsOf(receipt)).toEqual([{ eventName: 'PlanFunded', args }])
  expect(await freeOf('A')).toBe(12_345_678n)
})

test.each(['', 'A'.repeat(33), 'plan-360', 'PLAN 360', 'PLAN_360', 'PLAN-36٠', 'PLAN-360\0'])(
  'the plan code %j can be neither funded nor opened',
  async (code) => {
    await expectRefusal(() => fund(code, 1n), ['RewardPool_InvalidPlanCode', code])
    await expectRefusal(() => open(code), ['RewardPool_InvalidPlanCode', code])
  },
)

test.each(['A', '0', '-', 'Z9-', '0'.repeat(32), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ-01234'])(
  'the plan code %s can be funded and opened',
  async (code) => {
    await fund(code, 1n)
    await open(code)
    expect(await planOf(code)).toMatchObject({ state: 1, funded: 1n })
  },
)

test('an amount of zero and tokens without an approval are refused', async () => {
  await expectRefusal(() => fund(PLAN, 0n), ['RewardPool_ZeroAmount'])
  const { address } = system.pool
  await expectRefusal(
    () => fund(PLAN, 5n, STRANGER),
    ['ERC20InsufficientAllowance', address, 0n, 5n],
  )
  const tooMuch = 2n ** 128n
  await givenHolder(chain, system, ALICE, tooMuch)
  await expectRefusal(
    () => fund(PLAN, tooMuch, ALICE),
    ['SafeCastOverflowedUintDowncast', 128, tooMuch],
  )
})

test.each<{ behaviour: Behaviour; error: string }>([
  { behaviour: 'denies', error: 'SafeERC20FailedOperation' },
  { behaviour: 'lies', error: 'TokenTransfers_BalanceMismatch' },
  { behaviour: 'taxesReceiver', error: 'TokenTransfers_BalanceMismatch' },
])('a token that $behaviour funds nothing', async ({ behaviour, error }) => {
  await setTokenBehaviour(chain, system.token, behaviour)
  expect((await refusalOf(() => fund(PLAN, 10n), system.pool.abi))[0]).toBe(error)
  expect((await moneyOf(chain, system)).plan.funded).toBe(0n)
})

test('the operator opens a plan, closes it and opens it again under the same terms', async () => {
  const terms = { planCode: PLAN, durationDays: PLAN_DAYS, totalBps: PLAN_BPS }
  expect(eventsOf(await open())).toEqual([{ eventName: 'PlanOpened', args: terms }])
  expect(await planOf(PLAN)).toMatchObject({ state: 1, durationDays: 360, totalBps: 7_200 })
  await expectRefusal(() => open(), ['RewardPool_PlanAlreadyOpen', PLAN])
  expect(eventsOf(await close())).toEqual([{ eventName: 'PlanClosed', args: { planCode: PLAN } }])
  expect(await planOf(PLAN)).toMatchObject({ state: 2, durationDays: 360, totalBps: 7_200 })
  await expectRefusal(() => close(), ['RewardPool_PlanNotOpen', PLAN])
  expect(eventsOf(await open())).toEqual([{ eventName: 'PlanOpened', args: terms }])
  expect(await planOf(PLAN)).toMatchObject({ state: 1 })
})

test('a plan that was never opened cannot be closed', async () => {
  await fund(PLAN, 1n)
  await expectRefusal(() => close(), ['RewardPool_PlanNotOpen', PLAN])
  await expectRefusal(() => close('plan'), ['RewardPool_PlanNotOpen', 'plan'])
})

test("a plan's terms never change, open or closed", async () => {
  await open()
  const refusal = ['RewardPool_TermsDiffer', PLAN_DAYS, PLAN_BPS]
  for (const state of ['open', 'closed']) {
    if (state === 'closed') await close()
    await expectRefusal(() => open(PLAN, PLAN_DAYS + 1n, PLAN_BPS), refusal)
    await expectRefusal(() => open(PLAN, PLAN_DAYS, PLAN_BPS - 1n), refusal)
  }
})

test('terms without a reward or longer than 36,500 days are refused', async () => {
  const invalid: [bigint, bigint][] = [
    [360n, 0n],
    [36_501n, 7_200n],
    [2n ** 255n, 7_200n],
  ]
  for (const [days, bps] of invalid) {
    await expectRefusal(() => open(PLAN, days, bps), ['RewardPool_InvalidTerms', days, bps])
  }
  await open('LONG', 36_500n, 36_500n * 50n)
})

test('[T082] a funded plan that is not open yet cannot be opened beyond 0.5 % a day, nor for less than 30 days', async () => {
  await fund(PLAN, 10_000n * DCT)
  const beyond: [bigint, bigint][] = [
    [0n, 1n],
    [1n, 1_000_000n],
    [29n, 1n],
    [30n, 1_501n],
    [720n, 36_001n],
  ]
  for (const [days, bps] of beyond) {
    await expectRefusal(() => open(PLAN, days, bps), ['RewardPool_TermsBeyondLimits', days, bps])
  }
  await open('SHORT', 30n, 1_500n)
  await open('PLAN-720', 720n, 21_600n)
  await open('HIGHEST', 720n, 36_000n)
})

test('terms fixed before the first funding remain after it', async () => {
  await open()
  await fund(PLAN, 10_000n * DCT)
  await expectRefusal(
    () => open(PLAN, 30n, 1_500n),
    ['RewardPool_TermsDiffer', PLAN_DAYS, PLAN_BPS],
  )
  await close()
  await expectRefusal(
    () => open(PLAN, 30n, 1_500n),
    ['RewardPool_TermsDiffer', PLAN_DAYS, PLAN_BPS],
  )
})

test("a plan beyond the owner's current limits can be neither reopened nor joined, but keeps paying", async () => {
  await givenFundedPlan(chain, system)
  const { start } = await givenStake(chain, system, { staker: ALICE })
  await limit(19n, 30n)
  await givenHolder(chain, system, STRANGER, 50n * DCT)
  const joinPlan = () =>
    chain.send(STRANGER, system.staking, 'joinStake', [50n * DCT, PLAN, PLAN_DAYS])
  const beyond = ['RewardPool_TermsBeyondLimits', PLAN_DAYS, PLAN_BPS]
  await expectRefusal(joinPlan, beyond)
  await close()
  await expectRefusal(() => open(), beyond)
  await limit(20n, 361n)
  await expectRefusal(() => open(), beyond)
  await chain.at(start + 9n * DAY)
  await chain.send(OPERATOR, system.pool, 'payReward', [PLAN, ALICE, 0n, DCT])
  await limit(20n, 360n)
  await open()
  await joinPlan()
})

test('only the operator can open and close plans', async () => {
  for (const caller of [STRANGER, OWNER]) {
    const refusal = ['RewardPool_OnlyOperator', caller]
    await expectRefusal(() => open(PLAN, PLAN_DAYS, PLAN_BPS, caller), refusal)
    await expectRefusal(() => close(PLAN, caller), refusal)
  }
})

test('the owner can withdraw exactly the funds that no stake has reserved', async () => {
  await givenFundedPlan(chain, system, { funds: 100n * DCT })
  await givenFundedPlan(chain, system, { code: 'OTHER', funds: 100n * DCT })
  await givenStake(chain, system, { staker: STRANGER })
  await expectRefusal(() => withdrawFree(0n), ['RewardPool_ZeroAmount'])
  const tooMuch = 64n * DCT + 1n
  await expectRefusal(
    () => withdrawFree(tooMuch),
    ['RewardPool_InsufficientFree', 64n * DCT, tooMuch],
  )
  const receipt = await withdrawFree(60n * DCT)
  const args = { planCode: PLAN, to: ALICE, amount: 60n * DCT }
  expect(eventsOf(receipt)).toEqual([{ eventName: 'FreeWithdrawn', args }])
  expect(await balanceOf(chain, system.token, ALICE)).toBe(60n * DCT)
  expect(await freeOf(PLAN)).toBe(4n * DCT)
  await expectRefusal(
    () => withdrawFree(5n * DCT),
    ['RewardPool_InsufficientFree', 4n * DCT, 5n * DCT],
  )
  await withdrawFree(4n * DCT)
  expect(await planOf(PLAN)).toMatchObject({
    funded: 100n * DCT,
    withdrawn: 64n * DCT,
    reserved: 36n * DCT,
  })
  expect(await freeOf('OTHER')).toBe(100n * DCT)
})

test('[T082] the operator and strangers cannot withdraw', async () => {
  await givenFundedPlan(chain, system)
  for (const caller of [OPERATOR, STRANGER]) {
    await expectRefusal(() => withdrawFree(1n, caller), ['OwnableUnauthorizedAccount', caller])
    await expectRefusal(() => withdrawLapsed(caller), ['OwnableUnauthorizedAccount', caller])
  }
})

test('a withdrawal that the token does not deliver in full is refused', async () => {
  await givenFundedPlan(chain, system, { funds: 10n * DCT })
  await setTokenBehaviour(chain, system.token, 'taxesReceiver')
  await expectRefusal(
    () => withdrawFree(DCT),
    ['TokenTransfers_BalanceMismatch', ALICE, DCT, DCT - 1n],
  )
})

test('reserved rewards can be withdrawn from a closed plan 365 days after its last end, which retires it', async () => {
  await givenFundedPlan(chain, system, { funds: 100n * DCT })
  await expectRefusal(() => withdrawLapsed(), ['RewardPool_PlanNotClosed', PLAN])
  await givenStake(chain, system, { staker: FUNDER })
  await chain.at((await chain.now()) + 10n * DAY)
  const last = await givenStake(chain, system, { staker: STRANGER, amount: 10n * DCT })
  await close()
  const lapsesAt = last.start + (PLAN_DAYS + 365n) * DAY
  await chain.at(lapsesAt - 1n)
  await expectRefusal(() => withdrawLapsed(), ['RewardPool_NotLapsed', lapsesAt])
  await chain.at(lapsesAt)
  const receipt = await withdrawLapsed()
  const reserved = 36n * DCT + 7_200_000n
  const args = { planCode: PLAN, to: ALICE, amount: reserved }
  expect(eventsOf(receipt)).toEqual([{ eventName: 'LapsedWithdrawn', args }])
  expect(await balanceOf(chain, system.token, ALICE)).toBe(reserved)
  expect(await planOf(PLAN)).toMatchObject({ state: 3, reserved: 0n, withdrawn: reserved })

  const retired = ['RewardPool_PlanRetired', PLAN]
  await expectRefusal(() => withdrawLapsed(), retired)
  await expectRefusal(() => open(), retired)
  await expectRefusal(() => fund(PLAN, 1n), retired)
  await expectRefusal(() => close(), ['RewardPool_PlanNotOpen', PLAN])
  const pay = () => chain.send(OPERATOR, system.pool, 'payReward', [PLAN, STRANGER, 0n, 1n])
  await expectRefusal(pay, retired)
  const payableNow = await chain.client.readContract({
    ...system.pool,
    functionName: 'payableNow',
    args: [PLAN, STRANGER],
  })
  expect(payableNow).toBe(0n)
  await withdrawFree(100n * DCT - reserved)
})

test('a plan without reservations has no rewards to lapse', async () => {
  await expectRefusal(() => withdrawLapsed(), ['RewardPool_PlanNotClosed', PLAN])
  await givenFundedPlan(chain, system)
  await close()
  await expectRefusal(() => withdrawLapsed(), ['RewardPool_NothingReserved', PLAN])
})
