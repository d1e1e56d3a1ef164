import type { EvmNode, TronNode } from '@dct/chain-clients'
import { type Clock, DAY_MS } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { storeFee, type UnreadFee, unreadFees } from './transaction-fees.queries.ts'

export type TransactionFeeDeps = {
  db: Db
  /** Business time, because the end of an attempt is stored in it. */
  clock: Clock
  tron: { node: TronNode }
  bsc: { node: EvmNode }
  /** Real milliseconds after a round that read no fee. */
  pauseMs: number
}

const READ_AT_ONCE = 50
/** Fees that could not be read by then are given up, because some nodes prune old transactions. */
const GIVE_UP_AFTER_MS = 30 * DAY_MS

/**
 * Reads the fee of each of the service's transactions from the final chain once the attempt has ended, including failed
 * ones. Separate from the senders, so that it works however an attempt ended: seen by a sender, booked by its event, or
 * replaced.
 */
export function createTransactionFeeLoop(deps: TransactionFeeDeps): Loop {
  return {
    name: 'transaction-fees',
    pauseMs: deps.pauseMs,
    async step() {
      const since = new Date(deps.clock.now().getTime() - GIVE_UP_AFTER_MS)
      const unread = await unreadFees(deps.db, { since, limit: READ_AT_ONCE })
      let hasRead = false
      for (const attempt of unread) {
        const fee = await readFee(deps, attempt)
        if (fee === undefined) continue
        await storeFee(deps.db, { id: attempt.id, fee })
        hasRead = true
      }
      return !hasRead
    },
  }
}

/**
 * Base units of the chain's native coin; undefined while no node has the transaction. Zero for one that was never
 * mined.
 */
async function readFee(
  { tron, bsc }: TransactionFeeDeps,
  { chain, hash, wasSuccessful }: UnreadFee,
): Promise<bigint | undefined> {
  const { node } = chain === 'TRON' ? tron : bsc
  const status = await node.receipt(hash)
  if (status.kind === 'final') return status.fee
  return status.kind === 'unknown' && !wasSuccessful ? 0n : undefined
}
