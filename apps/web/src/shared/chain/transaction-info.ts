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

/** Reads a transaction by its hash through the wallet's node. @throws NodeError */
export async function readTransactionInfo(node: TronNode, hash: string): Promise<TransactionInfo> {
  const info = await nodeRequest<InfoReply>(node, 'wallet/gettransactioninfobyid', {
    value: hash,
  })
  if (!info.id || info.blockNumber === undefined) return { status: 'unknown' }
  const block = info.blockNumber
  if (info.result !== 'FAILED' && info.receipt?.result === 'SUCCESS') {
    return { status: 'success', block }
  }
  return { status: 'failed', block, reason: reasonOf(info) }
}

function reasonOf(info: InfoReply): RevertReason {
  if (info.receipt?.result === 'OUT_OF_ENERGY') return { name: 'OutOfEnergy' }
  const reason = readRevert(info.contractResult?.[0] ?? '')
  if (reason.name !== 'Unknown') return reason
  return { name: 'Unknown', text: fromHexText(info.resMessage ?? '') }
}
