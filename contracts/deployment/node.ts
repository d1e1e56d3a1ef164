import { NodeUnavailable, tronGridHeaders } from '@dct/chain-clients'
import { createTronPost, type TronNode, tronNodeAt } from '@dct/chain-clients/senders/index'
import { tronHex } from '@dct/chain-clients/senders/tron-signer'
import type { Hex } from 'viem'
import type { Action } from './steps.ts'

/** The node calls that a deployment needs in addition to those of every sender. */
export type DeploymentNode = TronNode & {
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
  const access = { url, headers: tronGridHeaders(url, apiKey), timeoutMs }
  const post = createTronPost(access)
  return {
    ...tronNodeAt(access),
    async chainId() {
      const { blockID } = await post('/wallet/getblockbynum', { num: 0 })
      if (typeof blockID !== 'string') throw new NodeUnavailable('the first block has no id')
      return Number.parseInt(blockID.slice(-8), 16)
    },
    async codeAt(address) {
      const { runtimecode } = await post('/wallet/getcontractinfo', { value: tronHex(address) })
      return `0x${typeof runtimecode === 'string' ? runtimecode : ''}`
    },
    async energyOf(action, from) {
      const target =
        action.kind === 'call'
          ? { contract_address: tronHex(action.contract), data: action.data.slice(2) }
          : { data: action.bytecode.slice(2) + action.constructorArguments.slice(2) }
      const reply = await post('/wallet/triggerconstantcontract', {
        owner_address: tronHex(from),
        ...target,
      })
      const { result, message } = (reply.result ?? {}) as { result?: boolean; message?: string }
      const hasWorked = result === true && message === undefined
      return hasWorked && typeof reply.energy_used === 'number'
        ? BigInt(reply.energy_used)
        : undefined
    },
  }
}
