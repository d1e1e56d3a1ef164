import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Chain } from './payouts.tables.ts'

/** Two final reverts, or a success without the payment's event. */
export const HELD_ALARM = 'payout.held'
/** Not mined and not replaceable: the next price would exceed the limit, or a former wallet signed it. */
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

/** Clears the alarms of a payout that has ended. */
export async function clearAlarmsOf(
  db: Db | Tx,
  ended: { payoutId: bigint; at: Date },
): Promise<void> {
  for (const kind of [HELD_ALARM, STUCK_ALARM] as const) {
    await clearAlarm(db, { kind, subject: `payout:${ended.payoutId}`, at: ended.at })
  }
}
