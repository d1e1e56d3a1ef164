import { clearAlarm } from '../../platform/alarms.ts'
import type { DbOrTx } from '../../platform/db.ts'
import type { Chain } from './payouts.tables.ts'

/** Two final reverts, or a success without its event. */
export const HELD_ALARM = 'payout.held'
/** Not mined, and the next price would be above the highest allowed. */
export const STUCK_ALARM = 'payout.stuck'
/** A payment on chain that no payout explains. */
export const UNKNOWN_ALARM = 'payment.unknown'

export function unknownSubject(payment: {
  chain: Chain
  txHash: string
  logIndex: number
}): string {
  return `${payment.chain}:${payment.txHash}:${payment.logIndex}`
}

/** A payout that has ended needs nobody any more. */
export async function clearAlarmsOf(
  db: DbOrTx,
  ended: { payoutId: bigint; at: Date },
): Promise<void> {
  for (const kind of [HELD_ALARM, STUCK_ALARM]) {
    await clearAlarm(db, { kind, subject: `payout:${ended.payoutId}`, at: ended.at })
  }
}
