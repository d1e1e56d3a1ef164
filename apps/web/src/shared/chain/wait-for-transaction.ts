import type { TronNode } from './injected.ts'
import { nodeRequest } from './node-request.ts'
import type { RevertReason } from './revert-reason.ts'
import type { SentHash } from './send-call.ts'
import { readTransactionInfo, type TransactionInfo } from './transaction-info.ts'

/** The final state of a transaction. `expired`: no block included it in time, so none can any more. */
export type TransactionEnd =
  | { status: 'success' }
  | { status: 'failed'; reason: RevertReason }
  | { status: 'expired' }

const POLL_MS = 1000
/** How many polls pass between two reads of the chain's clock, which shows whether the transaction has expired. */
const POLLS_PER_HEAD = 10
/** Nodes behind one address may be a few blocks apart. */
const EXPIRY_MARGIN_MS = 60_000

/**
 * Polls the wallet's node until the transaction is final. It stops only when aborted: a node that does not answer, or a
 * locked wallet, just means polling again.
 * @throws the signal's reason when aborted
 */
export async function waitForTransaction(
  node: () => TronNode,
  sent: SentHash,
  signal: AbortSignal,
): Promise<TransactionEnd> {
  for (let poll = 1; ; poll++) {
    signal.throwIfAborted()
    const info = await orUnknown(() => readTransactionInfo(node(), sent.hash))
    if (info.status !== 'unknown') return info
    if (poll % POLLS_PER_HEAD === 0 && (await isOver(node, sent))) return { status: 'expired' }
    await pause(POLL_MS, signal)
  }
}

/** Whether it has expired: the head block is past the expiry and the transaction is still in no block. */
async function isOver(node: () => TronNode, sent: SentHash): Promise<boolean> {
  const { hash, expiresAt } = sent
  if (expiresAt === undefined) return false
  try {
    const headTime = await readHeadTime(node())
    if (headTime === undefined || headTime < expiresAt + EXPIRY_MARGIN_MS) return false
    return (await readTransactionInfo(node(), hash)).status === 'unknown'
  } catch {
    return false // without an answer we cannot tell
  }
}

async function readHeadTime(node: TronNode): Promise<number | undefined> {
  const block = await nodeRequest<{ block_header?: { raw_data?: { timestamp?: number } } }>(
    node,
    'wallet/getnowblock',
    {},
  )
  return block.block_header?.raw_data?.timestamp
}

async function orUnknown(read: () => Promise<TransactionInfo>): Promise<TransactionInfo> {
  try {
    return await read()
  } catch {
    return { status: 'unknown' }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
