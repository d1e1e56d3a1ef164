import { lookAgain } from '../lib/look-again.ts'
import type { TronNode } from './injected.ts'
import { nodeRequest } from './node-request.ts'
import { WalletError, type WalletProblem } from './wallet-error.ts'

type Wallet = { node(): TronNode; switchNetwork(chainId: string): Promise<void> }

/** After these the wallet's user has to act before anything else; after any other failure its network decides. */
const ANSWERS: ReadonlySet<WalletProblem> = new Set([
  'rejected',
  'pending',
  'locked',
  'notConnected',
])

/**
 * Ensures that the wallet is on the product's network, and asks it to switch if it is not. If the node does not
 * report its genesis block we carry on: on a wrong network the contract calls that follow fail anyway.
 * @throws WalletError
 */
export async function requireNetwork(wallet: Wallet, chainId: number): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`
  if (!(await isElsewhere(wallet, wanted))) return
  const failure = await wallet.switchNetwork(wanted).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (failure instanceof WalletError && ANSWERS.has(failure.problem)) throw failure
  // Wallets show the old network's node for a moment after the switch.
  const hasArrived = await lookAgain(async () => !(await isElsewhere(wallet, wanted)))
  if (!hasArrived) throw new WalletError('otherNetwork', { cause: failure })
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
