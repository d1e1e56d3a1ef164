import type { Hex } from 'viem'

/** One event of a final, successful transaction. */
export type FinalLog = { address: Hex; topics: readonly Hex[]; data: Hex }

/**
 * What nodes say about one transaction. Only `final` is a fact; `unknown` and `mined` may change.
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
    }

export type FinalStatus = Extract<TransactionStatus, { kind: 'final' }>

/**
 * One answer out of those of several nodes: final only when all say the same, unknown only when
 * none has it. A lone "yes" and a lone "no" change nothing.
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

/** What a node answered to a broadcast. Never a verdict: only the final chain says what became of the bytes. */
export type BroadcastAnswer = { isAccepted: boolean; detail: string }
