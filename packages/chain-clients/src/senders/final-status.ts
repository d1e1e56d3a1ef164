import type { Hex } from 'viem'

/** One event of a final, successful transaction. */
export type FinalLog = { address: Hex; topics: readonly Hex[]; data: Hex }

/**
 * The state of a transaction according to the nodes. Only `final` is certain; `unknown` and `mined` may change.
 * `failure` is why a final transaction had no effect, null when it succeeded.
 */
export type TransactionStatus =
  | { kind: 'unknown' }
  | { kind: 'mined' }
  | {
      kind: 'final'
      failure: string | null
      blockNumber: bigint
      blockTime: Date
      logs: readonly FinalLog[]
      /** The fee that the sender paid, in sun or wei. */
      fee: bigint
    }

export type FinalStatus = Extract<TransactionStatus, { kind: 'final' }>

/**
 * Combines the answers of several nodes: final only when all report the same, unknown only when no node has it. Any mix
 * counts as `mined`, which decides nothing.
 */
export function agree(answers: readonly TransactionStatus[]): TransactionStatus {
  const [first, ...others] = answers
  if (first === undefined || answers.every((answer) => answer.kind === 'unknown')) {
    return { kind: 'unknown' }
  }
  return others.every((answer) => isSame(first, answer)) ? first : { kind: 'mined' }
}

function isSame(a: TransactionStatus, b: TransactionStatus): boolean {
  if (a.kind !== 'final' || b.kind !== 'final') return false
  const text = (status: FinalStatus) =>
    JSON.stringify([status.failure === null, `${status.blockNumber}`, status.logs])
  return text(a) === text(b)
}

/** A node's answer to a broadcast. Proves nothing: only the final chain shows the transaction's result. */
export type BroadcastAnswer = { isAccepted: boolean; detail: string }
