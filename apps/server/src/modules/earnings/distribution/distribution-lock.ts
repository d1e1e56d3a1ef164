import { type RawBuilder, sql } from 'kysely'
import { ADVISORY_LOCK_CLASSES } from '../../../platform/database/advisory-locks.ts'
import type { Tx } from '../../../platform/database/db.ts'

const LOCK_CLASS = ADVISORY_LOCK_CLASSES.dailyRun

/**
 * Takes the exclusive lock of a plan's daily run until the transaction ends. Claims and bookings, which read or write
 * the plan's cycles, take it shared: a claim therefore happens either before a cycle or after it, and a stake's missed
 * cycles are written by exactly one side. Both claims and the run lock rows of earnings only after this lock.
 */
export async function lockDistribution(tx: Tx, { planId }: { planId: bigint }): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::integer, ${planId}::integer)`.execute(tx)
}

/**
 * The shared lock as a one-row source for a statement that also does something else. Data that must be read under the
 * lock needs a later statement: this one's snapshot is older than the lock.
 */
export function sharedDistribution(planId: bigint | RawBuilder<unknown>) {
  return sql`pg_advisory_xact_lock_shared(${LOCK_CLASS}::integer, (${planId})::integer)`
}
