import { failureOfTronCall } from '@dct/rules/tron-success'
import { fromHexText } from './abi-codec.ts'
import type { TronNode } from './injected.ts'
import { nodeRequest } from './node-request.ts'
import { type RevertReason, readRevert } from './revert-reason.ts'

/** A transaction's state on chain. `unknown`: not in a block (yet). */
export type TransactionInfo =
  | { status: 'unknown' }
  | { status: 'success'; block: number }
  | { status: 'failed'; block: number; reason: RevertReason }

type InfoReply = {
  id?: string
  blockNumber?: number
  result?: string
  resMessage?: string
  contractResult?: string[]
  receipt?: { result?: string }
}

/** `wallet` answers from the newest block, `walletsolidity` only from final ones. */
type View = 'wallet' | 'walletsolidity'

/** Reads a transaction by its hash through the wallet's node. @throws NodeError */
export async function readTransactionInfo(
  node: TronNode,
  hash: string,
  view: View = 'wallet',
): Promise<TransactionInfo> {
  const info = await nodeRequest<InfoReply>(node, `${view}/gettransactioninfobyid`, {
    value: hash,
  })
  if (!info.id || info.blockNumber === undefined) return { status: 'unknown' }
  const block = info.blockNumber
  const failure = failureOfTronCall({ result: info.result, receiptResult: info.receipt?.result })
  if (failure === null) return { status: 'success', block }
  return { status: 'failed', block, reason: reasonOf(info) }
}

/**
 * The same, but a failure counts only once it is final: until then another block may include the transaction, and a
 * page that called it failed would have the holder pay again.
 * @throws NodeError
 */
export async function readShownInfo(node: TronNode, hash: string): Promise<TransactionInfo> {
  const info = await readTransactionInfo(node, hash)
  return info.status === 'failed' ? readTransactionInfo(node, hash, 'walletsolidity') : info
}

function reasonOf(info: InfoReply): RevertReason {
  if (info.receipt?.result === 'OUT_OF_ENERGY') return { name: 'OutOfEnergy' }
  const reason = readRevert(info.contractResult?.[0] ?? '')
  if (reason.name !== 'Unknown') return reason
  return { name: 'Unknown', text: fromHexText(info.resMessage ?? '') }
}
