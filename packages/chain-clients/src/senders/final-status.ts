import type { Hex } from 'viem'
import { NodeUnavailable, RpcRefusal } from '../nodes/failures.ts'
import type { NodeGroup } from '../nodes/node-group.ts'

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
 * Combines the answers of several nodes: final when at least `needed` of them report the same, unknown only when no
 * node has it. Any other mix counts as `mined`, which decides nothing.
 */
export function agree(answers: readonly TransactionStatus[], needed: number): TransactionStatus {
  if (answers.every((answer) => answer.kind === 'unknown')) return { kind: 'unknown' }
  const agreed = answers.find(
    (answer) => answers.filter((other) => isSame(answer, other)).length >= needed,
  )
  return agreed ?? { kind: 'mined' }
}

function isSame(a: TransactionStatus, b: TransactionStatus): boolean {
  if (a.kind !== 'final' || b.kind !== 'final') return false
  const text = (status: FinalStatus) =>
    JSON.stringify([status.failure === null, `${status.blockNumber}`, status.logs])
  return text(a) === text(b)
}

/** A node's answer to a broadcast. Proves nothing: only the final chain shows the transaction's result. */
export type BroadcastAnswer = { isAccepted: boolean; detail: string }

export const ACCEPTED: BroadcastAnswer = { isAccepted: true, detail: 'accepted' }

/**
 * Sends to every node of the right network, also to those that are behind. Does not throw when nodes refuse or do not
 * answer.
 */
export async function broadcastToAll<T>(
  { nodes }: NodeGroup<T>,
  send: (client: T) => Promise<BroadcastAnswer>,
): Promise<BroadcastAnswer> {
  const asked = nodes.filter(({ standing }) => !standing.isOnWrongNetwork())
  const answers = await Promise.all(
    asked.map(async ({ client }): Promise<BroadcastAnswer> => {
      try {
        return await send(client)
      } catch (error) {
        if (!(error instanceof NodeUnavailable)) throw error
        const detail = error instanceof RpcRefusal ? error.reason : error.message
        return { isAccepted: false, detail }
      }
    }),
  )
  const none: BroadcastAnswer = { isAccepted: false, detail: 'no node can be used' }
  return answers.find((answer) => answer.isAccepted) ?? answers[0] ?? none
}
