import type { Tx } from '../../platform/database/db.ts'
import { getPlan } from './plans.queries.ts'
import { lockQuotas, recomputeCarryAfter, returnPlace } from './quota.queries.ts'
import { endReservation, overdueReservations, type Reservation } from './reservations.queries.ts'

/** Releases reservations that have expired. Idempotent. @returns the number released */
export async function releaseLapsedReservations(tx: Tx, now: Date): Promise<number> {
  const overdue = await overdueReservations(tx, now)
  if (overdue.length === 0) return 0
  await lockQuotas(tx, [...new Set(overdue.map(({ planId }) => planId))])
  let released = 0
  for (const reservation of overdue) {
    // It may have been used or released before we got the lock.
    if (await giveBack(tx, reservation, 'lapsed')) released += 1
  }
  return released
}

/**
 * Ends a reservation without a stake and returns its quota. The caller holds the plan's lock.
 * @returns false if it had already ended
 */
export async function giveBack(
  tx: Tx,
  reservation: Reservation,
  state: 'lapsed' | 'replaced' | 'unbacked',
): Promise<boolean> {
  if (!(await endReservation(tx, { id: reservation.id, state }))) return false
  await returnPlace(tx, reservation)
  await recomputeCarryAfter(tx, await getPlan(tx, reservation.planId), reservation.day)
  return true
}
