import type { TronNode } from './injected.ts'
import { nodeRequest } from './node-request.ts'

/**
 * The chain ID of the wallet's node: the last four bytes of its genesis block's ID, as 0x and 8 digits. @throws
 * NodeError
 */
export async function readChainId(node: TronNode): Promise<string> {
  const block = await nodeRequest<{ blockID?: string }>(node, 'wallet/getblockbynum', { num: 0 })
  return `0x${block.blockID?.slice(-8) ?? ''}`
}
