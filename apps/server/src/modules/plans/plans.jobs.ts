import type { Clock } from '../../platform/clock.ts'
import type { JobHandler } from '../../platform/database/jobs.ts'
import { releaseLapsedReservations } from './release-lapsed.ts'
import { RELEASE_QUEUE } from './reserve-quota.ts'

/** The job handlers of this module, by queue. */
export function plansJobs({ clock }: { clock: Clock }): Record<string, JobHandler> {
  return {
    [RELEASE_QUEUE]: async (tx) => {
      await releaseLapsedReservations(tx, clock.now())
      return undefined
    },
  }
}
