import type { TronNode } from '../../shared/chain/injected.ts'
import { readTransactionInfo, type TransactionInfo } from '../../shared/chain/transaction-info.ts'

export const POLL_EVERY_MS = 3_000
export const POLL_ATTEMPTS = 60

type PollInput = {
  node: () => TronNode
  hash: string
  onAttempt(attempt: number): void
}

/**
 * Polls for a transaction's result every 3 seconds, up to 60 times. A node that does not answer just means polling
 * again.
 * @returns undefined if there is no result after the last attempt
 */
export async function pollTransaction(
  input: PollInput,
): Promise<Exclude<TransactionInfo, { status: 'unknown' }> | undefined> {
  for (let attempt = 1; attempt <= POLL_ATTEMPTS; attempt += 1) {
    input.onAttempt(attempt)
    const info = await readOnce(input)
    if (info !== undefined && info.status !== 'unknown') return info
    if (attempt < POLL_ATTEMPTS) {
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
    }
  }
  return undefined
}

async function readOnce({ node, hash }: PollInput): Promise<TransactionInfo | undefined> {
  try {
    return await readTransactionInfo(node(), hash)
  } catch {
    return undefined // retried at the next attempt
  }
}
