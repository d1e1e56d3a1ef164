import type { InjectedTronWeb } from './injected.ts'
import { nodeRequest } from './node-request.ts'

/** The chain that the wallet's node follows: the last four bytes of its first block, as 0x and 8 digits. @throws NodeError */
export async function readChainId(tronWeb: InjectedTronWeb): Promise<string> {
  const block = await nodeRequest<{ blockID?: string }>(tronWeb, 'wallet/getblockbynum', { num: 0 })
  return `0x${block.blockID?.slice(-8) ?? ''}`
}
