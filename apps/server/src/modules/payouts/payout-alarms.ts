import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Db, Tx } from '../../platform/database/db.ts'

/** Two final reverts, or a success without the payment's event. */
export const HELD_ALARM = 'payout.held'
/** Not mined and not replaceable: the next price would exceed the limit, or no replacement could be signed. */
export const STUCK_ALARM = 'payout.stuck'

/** Clears the alarms of a payout that has ended. */
export async function clearAlarmsOf(
  db: Db | Tx,
  ended: { payoutId: bigint; at: Date },
): Promise<void> {
  for (const kind of [HELD_ALARM, STUCK_ALARM] as const) {
    await clearAlarm(db, { kind, subject: `payout:${ended.payoutId}`, at: ended.at })
  }
}
