import { type Clock, DAY_MS } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { addJob, type JobHandler } from '../../platform/database/jobs.ts'
import { lapseUnpaidClaims, releaseAmounts } from './close-claims.ts'

const QUEUE = 'claims.close'
const AGAIN_AFTER_MS = { none: DAY_MS, more: 0, unproven: 10 * 60_000 }

/** Lapses unpaid claims whose time is up, and frees the payment amounts of claims that ended long ago. Runs daily. */
export function claimJobs({
  clock,
  lapsedAtOnce,
}: {
  clock: Clock
  lapsedAtOnce?: number
}): Record<string, JobHandler> {
  return {
    async [QUEUE](tx) {
      const now = clock.now()
      const left = await lapseUnpaidClaims(tx, now, lapsedAtOnce)
      await releaseAmounts(tx, now)
      return { runAgainAt: new Date(now.getTime() + AGAIN_AFTER_MS[left]) }
    },
  }
}

/** Makes sure that the daily job is scheduled. Idempotent. */
export async function planClaimJobs(tx: Tx, now: Date): Promise<void> {
  await addJob(tx, { queue: QUEUE, key: 'daily', runAt: now })
}
