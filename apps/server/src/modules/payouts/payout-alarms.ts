import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { IntentRef } from './intents.queries.ts'

/** Not mined and not replaceable: the next price would exceed the limit, or no replacement could be signed. */
export const STUCK_ALARM = 'payout.stuck'

export function stuckSubject({ table, id }: IntentRef): string {
  return `${table}:${id}`
}

/** Clears the alarm of a payout or call that has ended. */
export async function clearAlarmsOf(db: Db | Tx, intent: IntentRef, at: Date): Promise<void> {
  await clearAlarm(db, { kind: STUCK_ALARM, subject: stuckSubject(intent), at })
}
