import { REWARD_SENT_WITHIN_HOURS } from '@dct/rules/constants'
import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { addJob, type JobHandler } from '../../platform/database/jobs.ts'
import { latePayouts } from './list-payouts.queries.ts'

const QUEUE = 'payouts.late'
const HOUR_MS = 3_600_000
const LATE = { kind: 'payout.late', subject: 'payouts' } as const

/** Raises an alarm when a payment is later than the terms promise. Runs every hour. */
export function payoutJobs({ clock }: { clock: Clock }): Record<string, JobHandler> {
  return {
    async [QUEUE](tx) {
      const now = clock.now()
      const promised = new Date(now.getTime() - REWARD_SENT_WITHIN_HOURS * HOUR_MS)
      const late = await latePayouts(tx, promised)
      if (late.length > 0) await alarmLate(tx, late, now)
      else await clearAlarm(tx, { ...LATE, at: now })
      return { runAgainAt: new Date(now.getTime() + HOUR_MS) }
    },
  }
}

/** Makes sure that the hourly check is scheduled. Safe to repeat. */
export async function planPayoutJobs(tx: Tx, now: Date): Promise<void> {
  await addJob(tx, { queue: QUEUE, key: 'hourly', runAt: now })
}

async function alarmLate(tx: Tx, ids: readonly bigint[], at: Date): Promise<void> {
  await raiseAlarm(tx, {
    ...LATE,
    message: `Not paid within ${REWARD_SENT_WITHIN_HOURS} hours: payouts ${ids.join(', ')}.`,
    at,
  })
}
