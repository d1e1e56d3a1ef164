import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

/** Any number that no other lock of ours uses. */
const LOCK_CLASS = 7_204_612

/**
 * Keeps the daily run of a plan and everything that reads or writes the plan's cycles apart until the transaction
 * ends. Claims and bookings share the lock, the run has it alone: so a claim comes before a cycle or after it, and a
 * stake's missed cycles are written by exactly one of the two.
 */
export async function lockDistribution(
  tx: Tx,
  lock: { planId: bigint; mode: 'shared' | 'alone' },
): Promise<void> {
  const plan = sql`${Number(lock.planId)}::integer`
  if (lock.mode === 'shared') {
    await sql`select pg_advisory_xact_lock_shared(${LOCK_CLASS}::integer, ${plan})`.execute(tx)
  } else {
    await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::integer, ${plan})`.execute(tx)
  }
}
