import type { Tx } from '../../platform/db.ts'
import { getPlan } from './plans.queries.ts'
import { lockQuotas, recarryAfter, returnPlace } from './quota.queries.ts'
import { endReservation, overdueReservations, type Reservation } from './reservations.queries.ts'

/**
 * Gives back the places of reservations whose time is over. Safe to repeat.
 * @returns how many there were.
 */
export async function releaseLapsedReservations(tx: Tx, now: Date): Promise<number> {
  const overdue = await overdueReservations(tx, now)
  if (overdue.length === 0) return 0
  await lockQuotas(tx, [...new Set(overdue.map(({ planId }) => planId))])
  let released = 0
  for (const reservation of overdue) {
    // Until the lock was ours, somebody may have used it or released it.
    if (await givePlaceBack(tx, reservation, 'lapsed')) released += 1
  }
  return released
}

/** Ends a reservation without a stake. The caller holds its plan's lock. False when it was ended before. */
export async function givePlaceBack(
  tx: Tx,
  reservation: Reservation,
  state: 'lapsed' | 'replaced',
): Promise<boolean> {
  if (!(await endReservation(tx, { id: reservation.id, state }))) return false
  await returnPlace(tx, reservation)
  await recarryAfter(tx, await getPlan(tx, reservation.planId), reservation.day)
  return true
}
