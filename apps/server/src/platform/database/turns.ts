import { type RawBuilder, sql } from 'kysely'
import { ADVISORY_LOCK_CLASSES } from './advisory-locks.ts'

/**
 * Waits until it is this transaction's turn at a contended row. It is a one-row source for the statement that changes
 * the row. A transaction that waits for the row itself is woken by every commit that changes it, only to find it locked
 * again; here only the next one in the queue is woken. Correctness rests on the row's own lock, not on this.
 * @param place a number for the row; rows with the same number share a queue
 */
export function turnAt(row: 'planPool' | 'referralBalance', place: RawBuilder<unknown>) {
  return sql`pg_advisory_xact_lock(${ADVISORY_LOCK_CLASSES[row]}::integer, ${place})`
}
