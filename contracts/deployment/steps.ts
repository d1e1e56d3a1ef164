import { devTokenAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { devTokenBytecode, rewardPoolBytecode, stakingBytecode } from '@dct/contract-abi/bytecode'
import { type Abi, encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import { type DeploymentInputs, type DeploymentState, deployed, type StepName } from './state.ts'

/** The creation of a contract, or a call of an existing one. */
export type Action =
  | { kind: 'create'; name: string; abi: Abi; bytecode: Hex; constructorArguments: Hex }
  | { kind: 'call'; contract: Hex; data: Hex }

export type Step = {
  name: StepName
  /** Shown to the operator. */
  title: string
  /** Energy measured on a Tron node, for steps that cannot be simulated before an earlier one is done. */
  measuredEnergy: bigint
  isNeeded(inputs: DeploymentInputs): boolean
  /** Builds the transaction. The contracts to which it refers must be deployed. */
  action(state: DeploymentState): Action
}

const always = () => true

/**
 * All steps of the deployer, in order. The deployer owns the pool until staking is bound, because only its owner can
 * bind.
 */
export const STEPS: readonly Step[] = [
  {
    name: 'token',
    title: 'deploy a test token',
    measuredEnergy: 499_000n,
    isNeeded: ({ token }) => token === undefined,
    action: ({ inputs }) => create('DevToken', devTokenAbi, devTokenBytecode, [inputs.deployer]),
  },
  {
    name: 'rewardPool',
    title: 'deploy RewardPool',
    measuredEnergy: 2_118_000n,
    isNeeded: always,
    action: (state) =>
      create('RewardPool', rewardPoolAbi, rewardPoolBytecode, [
        deployed(state, 'token'),
        state.inputs.deployer,
        state.inputs.operator,
      ]),
  },
  {
    name: 'termLimits',
    title: 'set the limits on plans',
    measuredEnergy: 15_000n,
    isNeeded: ({ termLimits }) => termLimits !== undefined,
    action: (state) => {
      const { maxDailyBps = 0, minDurationDays = 0 } = state.inputs.termLimits ?? {}
      const args = [BigInt(maxDailyBps), BigInt(minDurationDays)]
      return call(deployed(state, 'rewardPool'), rewardPoolAbi, 'setTermLimits', args)
    },
  },
  {
    name: 'staking',
    title: 'deploy Staking',
    measuredEnergy: 1_171_000n,
    isNeeded: always,
    action: (state) =>
      create('Staking', stakingAbi, stakingBytecode, [
        deployed(state, 'token'),
        deployed(state, 'rewardPool'),
        state.inputs.owner,
      ]),
  },
  {
    name: 'bindStaking',
    title: 'bind Staking to RewardPool',
    measuredEnergy: 23_000n,
    isNeeded: always,
    action: (state) =>
      call(deployed(state, 'rewardPool'), rewardPoolAbi, 'bindStaking', [
        deployed(state, 'staking'),
      ]),
  },
  {
    name: 'transferOwnership',
    title: 'offer RewardPool to its owner',
    measuredEnergy: 25_000n,
    isNeeded: ({ deployer, owner }) => deployer !== owner,
    action: (state) =>
      call(deployed(state, 'rewardPool'), rewardPoolAbi, 'transferOwnership', [state.inputs.owner]),
  },
]

/** The only step of the owner, who may also do it with a wallet. */
export const ACCEPT_OWNERSHIP: Step = {
  name: 'acceptOwnership',
  title: 'accept RewardPool as its owner',
  measuredEnergy: 25_000n,
  isNeeded: ({ deployer, owner }) => deployer !== owner,
  action: (state) => call(deployed(state, 'rewardPool'), rewardPoolAbi, 'acceptOwnership', []),
}

function create(name: string, abi: Abi, bytecode: Hex, args: readonly unknown[]): Action {
  const inputs = abi.find((item) => item.type === 'constructor')?.inputs ?? []
  return {
    kind: 'create',
    name,
    abi,
    bytecode,
    constructorArguments: encodeAbiParameters(inputs, args),
  }
}

function call(contract: Hex, abi: Abi, functionName: string, args: readonly unknown[]): Action {
  return { kind: 'call', contract, data: encodeFunctionData({ abi, functionName, args }) }
}
