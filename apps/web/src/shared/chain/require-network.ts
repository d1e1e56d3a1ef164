import type { TronNode } from './injected.ts'
import { nodeRequest } from './node-request.ts'
import { WalletError } from './wallet-error.ts'

type Wallet = { node(): TronNode; switchNetwork(chainId: string): Promise<void> }

/**
 * Ensures that the wallet is on the product's network, and asks it to switch if it is not. If the node does not
 * report its genesis block we carry on: on a wrong network the contract calls that follow fail anyway.
 * @throws WalletError
 */
export async function requireNetwork(wallet: Wallet, chainId: number): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`
  if (await isElsewhere(wallet, wanted)) {
    await wallet.switchNetwork(wanted)
    if (await isElsewhere(wallet, wanted)) throw new WalletError('otherNetwork')
  }
}

async function isElsewhere(wallet: Wallet, wanted: string): Promise<boolean> {
  try {
    const chainId = await readChainId(wallet.node())
    return /^0x[0-9a-f]{8}$/.test(chainId) && chainId !== wanted
  } catch {
    return false
  }
}

/**
 * The chain ID of the wallet's node: the last four bytes of its genesis block's ID, as 0x and 8 digits. @throws
 * NodeError
 */
export async function readChainId(node: TronNode): Promise<string> {
  const block = await nodeRequest<{ blockID?: string }>(node, 'wallet/getblockbynum', { num: 0 })
  return `0x${block.blockID?.slice(-8) ?? ''}`
}
