import type { TronNode } from './injected.ts'
import { nodeRequest } from './node-request.ts'
import type { RevertReason } from './revert-reason.ts'
import type { SentHash } from './send-call.ts'
import { readShownInfo, type TransactionInfo } from './transaction-info.ts'

/**
 * What the chain has shown of a transaction. `failed`: in a final block. `unseen`: we stopped looking, and that proves
 * nothing: a node may not know what others do. Only the contract or the service can say what became of it.
 */
export type TransactionEnd =
  | { status: 'success' }
  | { status: 'failed'; reason: RevertReason }
  | { status: 'unseen' }

/** How often it is looked for, and how many times at most. */
export type Pace = {
  everyMs: number
  /** Looking ends then, also if the node has no clock to show. */
  most: number
  onPoll?(poll: number): void
}

/** Until after the overlay's countdown. */
const EVERY_SECOND: Pace = { everyMs: 1_000, most: 200 }
/** How many polls pass between two reads of the chain's clock, which shows whether the transaction has expired. */
const POLLS_PER_HEAD = 10
/** Nodes behind one address may be a few blocks apart. */
const EXPIRY_MARGIN_MS = 60_000

/**
 * Polls the wallet's node for a transaction. A node that does not answer, or a locked wallet, just means polling again.
 * @throws the signal's reason when aborted
 */
export async function waitForTransaction(
  node: () => TronNode,
  sent: SentHash,
  signal: AbortSignal,
  { everyMs, most, onPoll }: Pace = EVERY_SECOND,
): Promise<TransactionEnd> {
  for (let poll = 1; poll <= most; poll++) {
    signal.throwIfAborted()
    onPoll?.(poll)
    const info = await orUnknown(() => readShownInfo(node(), sent.hash))
    if (info.status !== 'unknown') return info
    if (poll % POLLS_PER_HEAD === 0 && (await isOver(node, sent))) break
    if (poll < most) await pause(everyMs, signal)
  }
  return { status: 'unseen' }
}

/** Whether no later block can include it, by the chain's clock. */
async function isOver(node: () => TronNode, { expiresAt }: SentHash): Promise<boolean> {
  if (expiresAt === undefined) return false
  try {
    const headTime = await readHeadTime(node())
    return headTime !== undefined && headTime >= expiresAt + EXPIRY_MARGIN_MS
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
