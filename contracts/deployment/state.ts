import type { Hex } from 'viem'

/** The inputs of a deployment. They never change: a deployment with other inputs needs another state file. */
export type DeploymentInputs = {
  /** From the genesis block of the node. */
  chainId: number
  /**
   * 20 bytes as hex, like every address here. Pays for everything, and owns the pool until the ownership is
   * transferred.
   */
  deployer: Hex
  /** The cold wallet that owns both contracts in the end. */
  owner: Hex
  /** The server's key on Tron. */
  operator: Hex
  /** The token to lock; absent if a worthless one is deployed for tests. */
  token?: Hex
  /** Limits for plans, if they differ from the contract's defaults. */
  termLimits?: { maxDailyBps: number; minDurationDays: number }
}

export type ContractName = 'token' | 'rewardPool' | 'staking'
export type StepName =
  | ContractName
  | 'termLimits'
  | 'bindStaking'
  | 'transferOwnership'
  | 'acceptOwnership'

/** A signed transaction. It is stored before it is sent, and ends as final or `expired`. */
export type Attempt = {
  hash: Hex
  /** The signed transaction as hex, in the form that `wallet/broadcasthex` accepts. */
  raw: string
  expiresAt: string
  feeLimitSun: number
  /** `expired`: it is proven that the transaction can never be included. */
  outcome?: 'expired' | { block: number; feeSun: number; failure: string | null }
}

/** A step with every transaction ever signed for it. */
export type StepRecord = { attempts: Attempt[]; address?: Hex }

export type DeploymentState = {
  version: 1
  inputs: DeploymentInputs
  steps: Partial<Record<StepName, StepRecord>>
  /** When code and roles were last verified. */
  checkedAt?: string
}

/** The result of a step whose transaction is final and has succeeded. */
export function resultOf(record: StepRecord | undefined) {
  const outcome = record?.attempts.at(-1)?.outcome
  const isDone = typeof outcome === 'object' && outcome.failure === null
  return isDone ? outcome : undefined
}

/** The address of a contract whose deployment is final. */
export function addressOf(state: DeploymentState, name: ContractName): Hex | undefined {
  if (name === 'token' && state.inputs.token) return state.inputs.token
  const record = state.steps[name]
  return resultOf(record) && record?.address
}

/** @throws Error if the contract is not deployed yet */
export function deployed(state: DeploymentState, name: ContractName): Hex {
  const address = addressOf(state, name)
  if (address === undefined) throw new Error(`${name} is not deployed yet`)
  return address
}

/** The addresses of the deployed contracts. @throws Error if one is missing */
export function requireAddresses(state: DeploymentState) {
  return {
    token: deployed(state, 'token'),
    rewardPool: deployed(state, 'rewardPool'),
    staking: deployed(state, 'staking'),
  }
}
