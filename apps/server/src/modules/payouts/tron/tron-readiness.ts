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
import type { AccountKey } from '../accounts.queries.ts'
import type { OperatorCall } from '../operator-calls.ts'
import type { Owed, Readiness } from '../send-owed.ts'
import type { SenderDeps, WaitReason } from '../sender-deps.ts'

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
/** An operator's call on Tron. */
export type TronCall = Exclude<OperatorCall, { kind: 'publishOwed' }>
export type TronReadiness = Readiness<ReadyCall>

/** What the reward contract paid of a stake's reward, in the newest final block. */
export async function readPaid(deps: TronReadDeps, stake: AccountKey): Promise<bigint> {
  const read = readerOf(deps, rewardPoolAbi, deps.contracts.rewardPool, 'final')
  return (await read('entitlementOf', [stake.name, stake.holder])).paid
}

/** Whether the reward contract would make a payment now. */
export function paymentReadiness(
  deps: TronReadDeps,
  { account, paidBefore, amount }: Owed,
): Promise<TronReadiness> {
  const args = [account.name, account.holder, paidBefore, amount] as const
  const data = encodeCall(rewardPoolAbi, 'payReward', args)
  return trialRun(deps, rewardPoolAbi, { contract: deps.contracts.rewardPool, data })
}

/** Whether another call by the operator can be made now. */
export async function callReadiness(deps: TronReadDeps, call: TronCall): Promise<TronReadiness> {
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

async function isDone(deps: TronReadDeps, call: TronCall): Promise<boolean> {
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
  // The newest block is ahead of the final one.
  RewardPool_PaidDiffers: 'NEARLY_DONE',
  // Done at the newest block already; it becomes final a moment later.
  RewardPool_PlanAlreadyOpen: 'NEARLY_DONE',
  RewardPool_PlanNotOpen: 'NEARLY_DONE',
  RewardPool_TermsDiffer: 'TERMS_DIFFER',
  RewardPool_TermsBeyondLimits: 'TERMS_BEYOND_LIMITS',
  Staking_AlreadyReleased: 'NEARLY_DONE',
  Staking_NotEnded: 'NOT_VESTED',
  TokenTransfers_CallFailed: 'NO_TOKEN',
  TokenTransfers_BalanceMismatch: 'NO_TOKEN',
}

/** Simulates a call. A call whose simulation fails is not signed: it would burn energy and change nothing. */
async function trialRun(
  deps: TronReadDeps,
  abi: Abi,
  call: { contract: Hex; data: Hex },
): Promise<TronReadiness> {
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
