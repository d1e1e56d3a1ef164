import type { Hex } from 'viem'

/** What a deployment was asked for. It never changes: another one needs another state file. */
export type DeploymentInputs = {
  /** From the genesis block of the node. */
  chainId: number
  /** 20 bytes as hex, like every address here. Pays for everything and owns the pool until the hand-over. */
  deployer: Hex
  /** The cold address that owns both contracts in the end. */
  owner: Hex
  /** The server's key on Tron. */
  operator: Hex
  /** The token to lock; absent when a worthless one is deployed for tests. */
  token?: Hex
  /** Limits on plans other than the contract's own. */
  termLimits?: { maxDailyBps: number; minDurationDays: number }
}

export type ContractName = 'token' | 'rewardPool' | 'staking'
export type StepName =
  | ContractName
  | 'termLimits'
  | 'bindStaking'
  | 'transferOwnership'
  | 'acceptOwnership'

/** One signed transaction. It is stored before it is sent, and ends as `final` or `expired`. */
export type Attempt = {
  hash: Hex
  /** The signed transaction as hex, as `wallet/broadcasthex` takes it. */
  raw: string
  expiresAt: string
  feeLimitSun: number
  /** `expired`: proven that it can never be included. */
  outcome?: 'expired' | { block: number; feeSun: number; failure: string | null }
}

/** A step with every transaction ever signed for it. */
export type StepRecord = { attempts: Attempt[]; address?: Hex }

export type DeploymentState = {
  version: 1
  inputs: DeploymentInputs
  steps: Partial<Record<StepName, StepRecord>>
  /** When code and roles were last found as they should be. */
  checkedAt?: string
}

/** The result of a step, once its transaction is final and succeeded. */
export function resultOf(record: StepRecord | undefined) {
  const outcome = record?.attempts.at(-1)?.outcome
  const isDone = typeof outcome === 'object' && outcome.failure === null
  return isDone ? outcome : undefined
}

/** The address of a contract, once its deployment is final. */
export function addressOf(state: DeploymentState, name: ContractName): Hex | undefined {
  if (name === 'token' && state.inputs.token) return state.inputs.token
  const record = state.steps[name]
  return resultOf(record) && record?.address
}
