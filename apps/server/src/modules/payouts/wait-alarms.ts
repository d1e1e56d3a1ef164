import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { IntentRef } from './intents.queries.ts'
import type { Chain } from './payouts.tables.ts'

/** A payout or call that waits for a reason that needs somebody. */
export const WAITING_ALARM = 'payout.waiting'

/** Clears the alarms of an intent that waited which concern it alone. */
export async function endWait(
  db: Db | Tx,
  intent: IntentRef,
  wait: { chain: Chain; reason: string | null; at: Date },
): Promise<void> {
  if (wait.reason === null) return
  for (const reason of OF_ONE_INTENT) {
    const subject = waitSubject(wait.chain, reason, intent)
    await clearAlarm(db, { kind: WAITING_ALARM, subject, at: wait.at })
  }
}

const OF_ONE_INTENT: readonly string[] = [
  'NO_CLAIM',
  'BEYOND_CLAIM',
  'CALL_NOT_ALLOWED',
  'REFUSED',
  'REVERTED',
  'BOOKS_BEHIND',
  'TERMS_DIFFER',
  'TERMS_BEYOND_LIMITS',
]

export function isOfOneIntent(reason: string): boolean {
  return OF_ONE_INTENT.includes(reason)
}

/** A reason that concerns a whole chain raises one alarm, however many payouts wait for it. */
export function waitSubject(chain: Chain, reason: string, intent: IntentRef): string {
  return isOfOneIntent(reason)
    ? `${chain}:${reason}:${intent.table}:${intent.id}`
    : `${chain}:${reason}`
}
