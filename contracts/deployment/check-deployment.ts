import { encodeCall } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import {
  devTokenRuntime,
  isCodeOf,
  type Runtime,
  rewardPoolRuntime,
  stakingRuntime,
} from '@dct/contract-abi/bytecode'
import { type Abi, decodeFunctionResult, type Hex } from 'viem'
import type { DeploymentNode } from './node.ts'
import { type DeploymentState, requireAddresses } from './state.ts'

export type DeploymentCheck = {
  /** Whether the owner has yet to accept the ownership of the pool. */
  isOwnerAwaited: boolean
}

/**
 * Compares the deployed contracts with what this repository builds: the code, and every value that the constructors
 * set.
 * @throws Error that states the first difference
 */
export async function requireDeployment(
  node: DeploymentNode,
  state: DeploymentState,
): Promise<DeploymentCheck> {
  const { inputs } = state
  const { token, rewardPool: pool, staking } = requireAddresses(state)
  await requireCode(node, 'RewardPool', pool, rewardPoolRuntime)
  await requireCode(node, 'Staking', staking, stakingRuntime)
  if (!inputs.token) await requireCode(node, 'DevToken', token, devTokenRuntime)
  const expect = async (contract: Hex, abi: Abi, view: string, wanted: readonly Hex[]) => {
    const data = encodeCall(abi, view, [])
    const run = await node.readFinal({ from: inputs.deployer, contract, data })
    const value = run.succeeded
      ? decodeFunctionResult({ abi, functionName: view, data: run.output })
      : undefined
    const found = `${value}`.toLowerCase() as Hex
    if (!wanted.includes(found)) {
      throw new Error(`${view}() of ${contract} is ${found}; ${wanted.join(' or ')} was expected.`)
    }
    return found
  }
  await expect(pool, rewardPoolAbi, 'token', [token])
  await expect(pool, rewardPoolAbi, 'staking', [staking])
  await expect(pool, rewardPoolAbi, 'operator', [inputs.operator])
  await expect(staking, stakingAbi, 'token', [token])
  await expect(staking, stakingAbi, 'rewardPool', [pool])
  await expect(staking, stakingAbi, 'owner', [inputs.owner])
  const owner = await expect(pool, rewardPoolAbi, 'owner', [inputs.owner, inputs.deployer])
  if (owner === inputs.owner) return { isOwnerAwaited: false }
  await expect(pool, rewardPoolAbi, 'pendingOwner', [inputs.owner])
  return { isOwnerAwaited: true }
}

async function requireCode(
  node: DeploymentNode,
  name: string,
  address: Hex,
  runtime: Runtime,
): Promise<void> {
  if (isCodeOf(await node.codeAt(address), runtime)) return
  throw new Error(`The code at ${address} is not ${name} as this repository builds it.`)
}
