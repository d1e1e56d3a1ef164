import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { finishPayout, type OnPayoutFinal } from '../finish-payout.ts'
import { holdBecauseOf } from '../hold-sent-before.ts'
import { lockIntent } from '../intents.queries.ts'
import {
  explainPayment,
  insertPayment,
  OF_AN_ADMIN,
  type SeenPayment,
} from '../payments.queries.ts'
import { CLOCK_SKEW_MS } from './check-manual-payment.ts'
import { manualPayoutOwed } from './manual-payments.queries.ts'

/**
 * Records a payment from a wallet that admins pay claims from, and books it for the manual payout that it pays. This is
 * how a restored backup recovers payments whose hashes it has lost. A payout that is younger than the payment is held,
 * because the claim may have been made again after the restore. A payment that matches no payout raises no alarm,
 * because it is the admin's private business.
 */
export async function recordOfAdmin(
  deps: { clock: Clock; onFinal: OnPayoutFinal },
  tx: Tx,
  seen: SeenPayment,
): Promise<void> {
  if (!(await insertPayment(tx, seen))) return
  const owed = await manualPayoutOwed(tx, seen)
  if (owed !== undefined) await lockIntent(tx, { table: 'payout', id: owed.id })
  // Another process may have booked it before we took the lock.
  const isOwed = owed !== undefined && (await manualPayoutOwed(tx, seen))?.id === owed.id
  if (isOwed && seen.blockTime.getTime() >= owed.createdAt.getTime() - CLOCK_SKEW_MS) {
    const evidence = { ...seen, isFromOwner: true }
    await finishPayout(tx, deps.onFinal, { payoutId: owed.id, evidence, at: deps.clock.now() })
    return
  }
  await explainPayment(tx, { ...seen, explanation: OF_AN_ADMIN })
  if (isOwed && owed.state === 'waiting') {
    await holdBecauseOf(tx, owed.id, { ...seen, at: deps.clock.now() })
  }
}
