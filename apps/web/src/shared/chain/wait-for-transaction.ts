import type { InjectedTronWeb } from './injected.ts'
import { nodeRequest } from './node-request.ts'
import type { RevertReason } from './revert-reason.ts'
import type { SentHash } from './send-call.ts'
import { readTransactionInfo, type TransactionInfo } from './transaction-info.ts'

/** The chain's word. `expired`: its time ran out unsent, so it can never be included any more. */
export type TransactionEnd =
  | { status: 'success' }
  | { status: 'failed'; reason: RevertReason }
  | { status: 'expired' }

const POLL_MS = 1000
/** The chain's own clock is asked now and then, to see whether the transaction's time is over. */
const POLLS_PER_HEAD = 10
/** Nodes behind one address may differ a little in how far they are. */
const EXPIRY_MARGIN_MS = 60_000

/**
 * Asks the wallet's node until the chain has decided; gives up only when told to. A silent node or a locked wallet
 * decides nothing: asking goes on.
 * @throws the signal's reason when aborted
 */
export async function waitForTransaction(
  tronWeb: () => InjectedTronWeb,
  sent: SentHash,
  signal: AbortSignal,
): Promise<TransactionEnd> {
  for (let poll = 1; ; poll++) {
    signal.throwIfAborted()
    const info = await orUnknown(() => readTransactionInfo(tronWeb(), sent.hash))
    if (info.status !== 'unknown') return info
    if (poll % POLLS_PER_HEAD === 0 && (await isOver(tronWeb, sent))) return { status: 'expired' }
    await pause(POLL_MS, signal)
  }
}

/** Over: the head is past the expiry, and even after that the transaction is in no block. */
async function isOver(tronWeb: () => InjectedTronWeb, sent: SentHash): Promise<boolean> {
  const { hash, expiresAt } = sent
  if (expiresAt === undefined) return false
  try {
    const headTime = await readHeadTime(tronWeb())
    if (headTime === undefined || headTime < expiresAt + EXPIRY_MARGIN_MS) return false
    return (await readTransactionInfo(tronWeb(), hash)).status === 'unknown'
  } catch {
    return false // without an answer nothing is known
  }
}

async function readHeadTime(tronWeb: InjectedTronWeb): Promise<number | undefined> {
  const block = await nodeRequest<{ block_header?: { raw_data?: { timestamp?: number } } }>(
    tronWeb,
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
