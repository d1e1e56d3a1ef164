import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

/** Any number that no other lock of ours uses. */
const LOCK_CLASS = 7_204_612

/**
 * Keeps the daily run of a plan and everything that reads or writes the plan's cycles apart until the transaction
 * ends. The run has the lock alone, which is what this takes; claims and bookings share it: so a claim comes before a
 * cycle or after it, and a stake's missed cycles are written by exactly one of the two. Rows of earnings are locked
 * after it, by claims as by the run.
 */
export async function lockDistribution(tx: Tx, { planId }: { planId: bigint }): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::integer, ${planId}::integer)`.execute(tx)
}

/**
 * The shared lock as one row to select from, for a statement that does something else as well. What must be read under
 * the lock is read by a later statement: this one sees the rows of before it had the lock.
 */
export function sharedDistribution(planId: bigint | RawBuilder<unknown>) {
  return sql`pg_advisory_xact_lock_shared(${LOCK_CLASS}::integer, (${planId})::integer)`
}
