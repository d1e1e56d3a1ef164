import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Not mined and not replaceable: the next price would exceed the limit, or no replacement could be signed. */
export const STUCK_ALARM = 'payout.stuck'

/** Clears the alarm of a payout that has ended. */
export async function clearAlarmsOf(
  db: Db | Tx,
  ended: { payoutId: bigint; at: Date },
): Promise<void> {
  await clearAlarm(db, { kind: STUCK_ALARM, subject: `payout:${ended.payoutId}`, at: ended.at })
}
