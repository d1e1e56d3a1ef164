import type { TronNode } from '@dct/chain-clients'
import {
  type AllowedCalls,
  decodeRevert,
  encodeCall,
  selectorsOf,
} from '@dct/chain-clients/senders/index'
import { rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type DecodeFunctionResultParameters,
  decodeFunctionResult,
  type Hex,
} from 'viem'
import { invariant } from '../../../platform/errors.ts'
import type { Payout } from '../create-payout.ts'
import { knownPaymentsOf } from '../payments.queries.ts'
import type { SenderDeps, WaitReason } from '../sender-deps.ts'
import type { OperatorCall } from './operator-calls.ts'

export type TronContracts = { rewardPool: Hex; staking: Hex }
export type TronReadDeps = SenderDeps & {
  node: TronNode
  operator: Hex
  contracts: TronContracts
}

/** The calls that the operator's key is meant for. */
export function callsOfOperator({ rewardPool, staking }: TronContracts): AllowedCalls {
  return [
    {
      contract: rewardPool,
      selectors: selectorsOf(rewardPoolAbi, ['payReward', 'openPlan', 'closePlan']),
    },
    { contract: staking, selectors: selectorsOf(stakingAbi, ['release']) },
  ]
}

/** A contract call to sign, and the energy that its simulation used. */
export type ReadyCall = { contract: Hex; data: Hex; energy: bigint }
export type Readiness =
  | { kind: 'ready'; call: ReadyCall }
  | { kind: 'wait'; reason: WaitReason; detail: string }
  /** The chain already shows it as done. */
  | { kind: 'done' }

/** Checks a payout against the chain before anything is signed for it. */
export async function payoutReadiness(deps: TronReadDeps, payout: Payout): Promise<Readiness> {
  const planCode = payout.planCode ?? ''
  const pool = (view: 'final' | 'head') =>
    readerOf(deps, rewardPoolAbi, deps.contracts.rewardPool, view)
  if ((await pool('final')('payoutOf', [payout.payoutKey])) > 0n) return { kind: 'done' }
  if (await pool('head')('paused', [])) return { kind: 'wait', reason: 'PAUSED', detail: '' }

  const { paid } = await pool('final')('entitlementOf', [planCode, payout.to])
  const known = await knownPaymentsOf(deps.db, { planCode, to: payout.to })
  if (paid > known.booked + known.onTheWay) {
    const detail = `Paid on chain: ${paid}; booked: ${known.booked}; in flight: ${known.onTheWay}.`
    return { kind: 'wait', reason: 'CHAIN_PAID_MORE', detail }
  }
  if (paid < known.booked) return { kind: 'wait', reason: 'NODE_BEHIND', detail: '' }

  const args = [payout.payoutKey, planCode, payout.to, payout.amount] as const
  const data = encodeCall(rewardPoolAbi, 'payReward', args)
  return trialRun(deps, rewardPoolAbi, { contract: deps.contracts.rewardPool, data })
}

/** Like `payoutReadiness`, for another call by the operator. */
export async function callReadiness(deps: TronReadDeps, call: OperatorCall): Promise<Readiness> {
  const { rewardPool, staking } = deps.contracts
  if (await isDone(deps, call)) return { kind: 'done' }
  switch (call.kind) {
    case 'openPlan': {
      const args = [call.planCode, BigInt(call.durationDays), call.totalBps] as const
      const data = encodeCall(rewardPoolAbi, 'openPlan', args)
      return trialRun(deps, rewardPoolAbi, { contract: rewardPool, data })
    }
    case 'closePlan': {
      const data = encodeCall(rewardPoolAbi, 'closePlan', [call.planCode])
      return trialRun(deps, rewardPoolAbi, { contract: rewardPool, data })
    }
    case 'release': {
      const data = encodeCall(stakingAbi, 'release', [call.stakeId])
      return trialRun(deps, stakingAbi, { contract: staking, data })
    }
  }
}

const PLAN_OPEN = 1

async function isDone(deps: TronReadDeps, call: OperatorCall): Promise<boolean> {
  if (call.kind === 'release') {
    const read = readerOf(deps, stakingAbi, deps.contracts.staking, 'final')
    return (await read('stakes', [call.stakeId])).released
  }
  const read = readerOf(deps, rewardPoolAbi, deps.contracts.rewardPool, 'final')
  const { state, durationDays, totalBps } = await read('plans', [call.planCode])
  if (call.kind === 'closePlan') return state !== PLAN_OPEN
  const hasOurTerms = durationDays === call.durationDays && BigInt(totalBps) === call.totalBps
  return state === PLAN_OPEN && hasOurTerms
}

const BY_ERROR: Readonly<Record<string, WaitReason>> = {
  EnforcedPause: 'PAUSED',
  RewardPool_NotVested: 'NOT_VESTED',
  RewardPool_AlreadyPaid: 'PAID_ON_CHAIN',
  // Done at the newest block already; it becomes final a moment later.
  RewardPool_PlanAlreadyOpen: 'PAID_ON_CHAIN',
  RewardPool_PlanNotOpen: 'PAID_ON_CHAIN',
  RewardPool_TermsDiffer: 'TERMS_DIFFER',
  RewardPool_TermsBeyondLimits: 'TERMS_BEYOND_LIMITS',
  Staking_AlreadyReleased: 'PAID_ON_CHAIN',
  Staking_NotEnded: 'NOT_VESTED',
  TokenTransfers_CallFailed: 'NO_TOKEN',
  TokenTransfers_BalanceMismatch: 'NO_TOKEN',
}

/** Simulates a call. A call whose simulation fails is not signed: it would burn energy and change nothing. */
async function trialRun(
  deps: TronReadDeps,
  abi: Abi,
  call: { contract: Hex; data: Hex },
): Promise<Readiness> {
  const outcome = await deps.node.simulate({ from: deps.operator, ...call })
  if (outcome.succeeded) return { kind: 'ready', call: { ...call, energy: outcome.used } }
  const error = decodeRevert(abi, outcome.revert)
  return { kind: 'wait', reason: BY_ERROR[error] ?? 'REFUSED', detail: error }
}

/** Calls view functions of one contract, typed by its ABI. */
function readerOf<const A extends Abi>(
  deps: TronReadDeps,
  abi: A,
  contract: Hex,
  view: 'final' | 'head',
) {
  return async <
    N extends ContractFunctionName<A, 'view'>,
    const P extends ContractFunctionArgs<A, 'view', N>,
  >(
    functionName: N,
    args: P,
  ): Promise<ContractFunctionReturnType<A, 'view', N, P>> => {
    const data = encodeCall(abi, functionName, args)
    const call = { from: deps.operator, contract, data }
    const outcome = await (view === 'final' ? deps.node.readFinal(call) : deps.node.simulate(call))
    invariant(outcome.succeeded, `${functionName} of ${contract} cannot be read`)
    const result = { abi, functionName, data: outcome.output } as DecodeFunctionResultParameters
    return decodeFunctionResult(result) as ContractFunctionReturnType<A, 'view', N, P>
  }
}
