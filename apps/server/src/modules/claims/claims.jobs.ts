import { type Clock, DAY_MS } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { addJob, type JobHandler } from '../../platform/jobs.ts'
import { lapseUnpaidClaims, releaseAmounts } from './close-claims.ts'

const QUEUE = 'claims.close'

/** Lets unpaid claims lapse whose time is over, and frees amounts that nobody can pay any more. Runs every day. */
export function claimJobs({ clock }: { clock: Clock }): Record<string, JobHandler> {
  return {
    async [QUEUE](tx) {
      const now = clock.now()
      const hasMore = await lapseUnpaidClaims(tx, now)
      await releaseAmounts(tx, now)
      return { runAgainAt: hasMore ? now : new Date(now.getTime() + DAY_MS) }
    },
  }
}

/** Makes sure that the daily look is planned. Safe to repeat. */
export async function planClaimJobs(tx: Tx, now: Date): Promise<void> {
  await addJob(tx, { queue: QUEUE, key: 'daily', runAt: now })
}
