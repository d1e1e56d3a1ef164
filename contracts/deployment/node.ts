import {
  CallFailed,
  createTronHttp,
  type TronHttpClient,
  tronGridHeaders,
} from '@dct/chain-clients'
import type { Hex } from 'viem'
import type { Action } from './steps.ts'

/** The node calls that a deployment needs in addition to those of every sender. */
export type DeploymentNode = TronHttpClient & {
  chainId(): Promise<number>
  /** The code at an address, empty (`0x`) without one. */
  codeAt(address: Hex): Promise<Hex>
  /** The energy that a transaction would use now, or undefined if it cannot be simulated. */
  energyOf(action: Action, from: Hex): Promise<bigint | undefined>
}

export function connectNode(options: {
  url: string
  apiKey?: string | undefined
  timeoutMs: number
}): DeploymentNode {
  const { url, apiKey, timeoutMs } = options
  const node = createTronHttp({ url, headers: tronGridHeaders(url, apiKey), timeoutMs })
  return {
    ...node,
    chainId: () => node.chainIdOfGenesis(),
    codeAt: (address) => node.code(address),
    async energyOf(action, from) {
      try {
        const outcome = await node.simulate({ from, ...targetOf(action) })
        return outcome.succeeded ? outcome.used : undefined
      } catch (error) {
        if (error instanceof CallFailed) return undefined
        throw error
      }
    },
  }
}

function targetOf(action: Action): { contract?: Hex; data: Hex } {
  return action.kind === 'call'
    ? { contract: action.contract, data: action.data }
    : { data: `${action.bytecode}${action.constructorArguments.slice(2)}` as Hex }
}
