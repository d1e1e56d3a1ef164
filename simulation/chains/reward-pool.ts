/** What contracts/src/RewardPool.sol does. contracts.test.ts compares the two. */
import { rewardPoolAbi } from '@dct/contract-abi'
import type { Hex } from 'viem'
import { event, Reverted, readCall, result } from './abi.ts'
import type { Log } from './chain.ts'
import { type Effect, lower, move, pull, type TokenState } from './token.ts'

const DAY_S = 86_400n
const [UNOPENED, OPEN, CLOSED, RETIRED] = [0, 1, 2, 3] as const
/** How a payment names itself: by the id of a payout, or by what was paid before. */

export type PoolPlan = {
  state: number
  durationDays: bigint
  totalBps: bigint
  lastStakeEnd: bigint
  funded: bigint
  withdrawn: bigint
  reserved: bigint
  paid: bigint
}
export type Entitlement = { reward: bigint; paid: bigint; start: bigint }
export type PoolState = {
  address: Hex
  owner: Hex
  operator: Hex
  staking: Hex
  isPaused: boolean
  limits: { maxDailyBps: bigint; minDurationDays: bigint }
  plans: Map<string, PoolPlan>
  /** By plan and staker. */
  entitlements: Map<string, Entitlement>
  /** By payout id. */
}

export type PoolCall = { pool: PoolState; token: TokenState; from: Hex; nowS: bigint }

const NO_PLAN: PoolPlan = {
  ...{ state: UNOPENED, durationDays: 0n, totalBps: 0n, lastStakeEnd: 0n },
  ...{ funded: 0n, withdrawn: 0n, reserved: 0n, paid: 0n },
}
const NO_ENTITLEMENT: Entitlement = { reward: 0n, paid: 0n, start: 0n }

export function planOf(pool: PoolState, code: string): PoolPlan {
  return pool.plans.get(code) ?? { ...NO_PLAN }
}

export function entitlementOf(pool: PoolState, code: string, staker: Hex): Entitlement {
  return pool.entitlements.get(`${code} ${staker}`) ?? { ...NO_ENTITLEMENT }
}

function refuse(name: string, args: readonly unknown[] = []): never {
  throw new Reverted(rewardPoolAbi, name, args)
}

/** The most that a stake can be paid now: the parts of the days that began, without what was paid. */
export function payableNow(
  { pool, nowS }: Pick<PoolCall, 'pool' | 'nowS'>,
  code: string,
  staker: Hex,
): bigint {
  const [plan, { reward, start, paid }] = [planOf(pool, code), entitlementOf(pool, code, staker)]
  if (reward === 0n || plan.state === RETIRED) return 0n
  const day = (nowS - start) / DAY_S + 1n
  const vested = day < plan.durationDays ? (reward * day) / plan.durationDays : reward
  return vested - paid
}

function requireWithinLimits(pool: PoolState, durationDays: bigint, totalBps: bigint): void {
  const { minDurationDays, maxDailyBps } = pool.limits
  if (durationDays >= minDurationDays && totalBps <= durationDays * maxDailyBps) return
  refuse('RewardPool_TermsBeyondLimits', [durationDays, totalBps])
}

/** Called by the staking contract alone. @returns the whole reward of the new stake */
export function reserve(
  call: PoolCall,
  made: { code: string; staker: Hex; amount: bigint; days: bigint },
) {
  const { pool, nowS } = call
  const plan = planOf(pool, made.code)
  if (plan.state !== OPEN) refuse('RewardPool_PlanNotOpen', [made.code])
  if (made.days !== plan.durationDays)
    refuse('RewardPool_WrongDuration', [made.days, plan.durationDays])
  if (entitlementOf(pool, made.code, made.staker).start !== 0n)
    refuse('RewardPool_AlreadyReserved', [made.staker])
  requireWithinLimits(pool, made.days, plan.totalBps)
  const reward = (made.amount * plan.totalBps) / 10_000n
  const free = plan.funded - plan.withdrawn - plan.paid - plan.reserved
  if (reward > free) refuse('RewardPool_InsufficientFree', [free, reward])
  plan.reserved += reward
  plan.lastStakeEnd = nowS + made.days * DAY_S
  pool.plans.set(made.code, plan)
  pool.entitlements.set(`${made.code} ${made.staker}`, { reward, paid: 0n, start: nowS })
  const args = { planCode: made.code, staker: made.staker, amount: reward }
  return { reward, log: event(rewardPoolAbi, pool.address, 'RewardReserved', args) }
}

export function callPool(call: PoolCall, data: Hex): Effect {
  const { name, args } = readCall(rewardPoolAbi, data)
  const viewed = viewPool(call, name, args)
  if (viewed !== undefined) return { output: result(rewardPoolAbi, name, viewed.value), logs: [] }
  return { output: '0x', logs: changePool(call, name, args) }
}

function viewPool({ pool, token, nowS }: PoolCall, name: string, args: readonly unknown[]) {
  const code = String(args[0])
  const plan = planOf(pool, code)
  switch (name) {
    case 'token':
      return { value: token.address }
    case 'operator':
    case 'staking':
    case 'owner':
      return { value: pool[name] }
    case 'paused':
      return { value: pool.isPaused }
    case 'termLimits':
      return {
        value: {
          maxDailyBps: Number(pool.limits.maxDailyBps),
          minDurationDays: Number(pool.limits.minDurationDays),
        },
      }
    case 'plans':
      return {
        value: {
          ...plan,
          durationDays: Number(plan.durationDays),
          totalBps: Number(plan.totalBps),
          lastStakeEnd: Number(plan.lastStakeEnd),
        },
      }
    case 'freeOf':
      return { value: plan.funded - plan.withdrawn - plan.paid - plan.reserved }
    case 'entitlementOf': {
      const { start, ...rest } = entitlementOf(pool, code, lower(args[1]))
      return { value: { ...rest, start: Number(start) } }
    }
    case 'payableNow':
      return { value: payableNow({ pool, nowS }, code, lower(args[1])) }
    default:
      return undefined
  }
}

function changePool(call: PoolCall, name: string, args: readonly unknown[]): Log[] {
  const { pool, from } = call
  switch (name) {
    case 'addRewardForPlan':
      return fund(call, String(args[0]), args[1] as bigint)
    case 'payReward':
      if (from !== pool.operator) refuse('RewardPool_OnlyOperator', [from])
      if (pool.isPaused) refuse('EnforcedPause')
      return pay(call, args)
    case 'openPlan':
    case 'closePlan':
      if (from !== pool.operator) refuse('RewardPool_OnlyOperator', [from])
      return name === 'openPlan'
        ? open(call, String(args[0]), { days: args[1] as bigint, bps: args[2] as bigint })
        : close(call, String(args[0]))
    case 'setOperator':
    case 'pausePayouts':
    case 'unpausePayouts':
      if (from !== pool.owner) refuse('OwnableUnauthorizedAccount', [from])
      return rule(call, name, args)
    default:
      return refuse('RewardPool_ZeroAddress')
  }
}

function requireValid(planCode: string): void {
  if (!/^[A-Z0-9-]{1,32}$/.test(planCode)) refuse('RewardPool_InvalidPlanCode', [planCode])
}

function fund({ pool, token, from }: PoolCall, planCode: string, amount: bigint): Log[] {
  requireValid(planCode)
  const plan = planOf(pool, planCode)
  if (amount === 0n) refuse('RewardPool_ZeroAmount')
  if (plan.state === RETIRED) refuse('RewardPool_PlanRetired', [planCode])
  pool.plans.set(planCode, { ...plan, funded: plan.funded + amount })
  const moved = pull(token, { from, to: pool.address, value: amount })
  return [moved, event(rewardPoolAbi, pool.address, 'PlanFunded', { planCode, from, amount })]
}

function open(
  { pool }: PoolCall,
  planCode: string,
  { days, bps }: { days: bigint; bps: bigint },
): Log[] {
  const plan = planOf(pool, planCode)
  requireValid(planCode)
  if (days > 36_500n || bps === 0n) refuse('RewardPool_InvalidTerms', [days, bps])
  requireWithinLimits(pool, days, bps)
  if (plan.state === RETIRED) refuse('RewardPool_PlanRetired', [planCode])
  const isOther = plan.durationDays !== days || plan.totalBps !== bps
  if (plan.state !== UNOPENED && isOther)
    refuse('RewardPool_TermsDiffer', [plan.durationDays, plan.totalBps])
  if (plan.state === OPEN) refuse('RewardPool_PlanAlreadyOpen', [planCode])
  pool.plans.set(planCode, { ...plan, state: OPEN, durationDays: days, totalBps: bps })
  const args = { planCode, durationDays: days, totalBps: bps }
  return [event(rewardPoolAbi, pool.address, 'PlanOpened', args)]
}

function close({ pool }: PoolCall, planCode: string): Log[] {
  const plan = planOf(pool, planCode)
  if (plan.state !== OPEN) refuse('RewardPool_PlanNotOpen', [planCode])
  pool.plans.set(planCode, { ...plan, state: CLOSED })
  return [event(rewardPoolAbi, pool.address, 'PlanClosed', { planCode })]
}

function pay(call: PoolCall, args: readonly unknown[]): Log[] {
  const { pool, token } = call
  const [planCode, to, paidBefore, amount] = [
    ...[String(args[0]), lower(args[1])],
    ...[args[2] as bigint, args[3] as bigint],
  ] as [string, Hex, bigint, bigint]
  const plan = planOf(pool, planCode)
  const entitlement = entitlementOf(pool, planCode, to)
  if (amount === 0n) refuse('RewardPool_ZeroAmount')
  if (entitlement.start === 0n) refuse('RewardPool_NotStaker', [to])
  // The same payment never counts twice.
  if (entitlement.paid !== paidBefore) refuse('RewardPool_PaidDiffers', [entitlement.paid])
  if (plan.state === RETIRED) refuse('RewardPool_PlanRetired', [planCode])
  const due = payableNow(call, planCode, to)
  if (amount > due) refuse('RewardPool_NotVested', [due, amount])
  entitlement.paid += amount
  plan.paid += amount
  plan.reserved -= amount
  const moved = move(token, { from: pool.address, to, value: amount })
  const paid = { planCode, to, amount, total: entitlement.paid }
  return [moved, event(rewardPoolAbi, pool.address, 'RewardPaid', paid)]
}

function rule({ pool }: PoolCall, name: string, args: readonly unknown[]): Log[] {
  if (name !== 'setOperator') {
    const isPausing = name === 'pausePayouts'
    if (pool.isPaused === isPausing) refuse(isPausing ? 'EnforcedPause' : 'ExpectedPause')
    pool.isPaused = isPausing
    return []
  }
  const [previousOperator, newOperator] = [pool.operator, lower(args[0])]
  pool.operator = newOperator
  return [event(rewardPoolAbi, pool.address, 'OperatorChanged', { previousOperator, newOperator })]
}
