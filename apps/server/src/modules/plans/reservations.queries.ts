import type { BusinessDay } from '../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import type { ReservationState } from './plans.tables.ts'

export type Reservation = {
  id: bigint
  userId: bigint
  planId: bigint
  amount: bigint
  reward: bigint
  day: BusinessDay
  expiresAt: Date
}

const COLUMNS = [
  'id',
  'user_id as userId',
  'plan_id as planId',
  'amount',
  'reward',
  'day',
  'expires_at as expiresAt',
] as const

/** The place that a user holds now, over time or not. */
export async function liveReservationOf(
  db: DbOrTx,
  userId: bigint,
): Promise<Reservation | undefined> {
  const row = await db
    .selectFrom('reservation')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('state', '=', 'live')
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, day: row.day as BusinessDay }
}

export async function insertReservation(
  tx: Tx,
  reservation: Omit<Reservation, 'id'> & { createdAt: Date },
): Promise<bigint> {
  const row = await tx
    .insertInto('reservation')
    .values({
      user_id: reservation.userId,
      plan_id: reservation.planId,
      amount: reservation.amount,
      reward: reservation.reward,
      day: reservation.day,
      created_at: reservation.createdAt,
      expires_at: reservation.expiresAt,
      state: 'live',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Ends a live reservation. False when somebody ended it before. */
export async function endReservation(
  tx: Tx,
  end: { id: bigint; state: Exclude<ReservationState, 'live'> },
): Promise<boolean> {
  const ended = await tx
    .updateTable('reservation')
    .set({ state: end.state })
    .where('id', '=', end.id)
    .where('state', '=', 'live')
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** Reservations whose time is over and that nobody ended yet, in the order in which plans are locked. */
export async function overdueReservations(db: DbOrTx, now: Date): Promise<Reservation[]> {
  const rows = await db
    .selectFrom('reservation')
    .select(COLUMNS)
    .where('state', '=', 'live')
    .where('expires_at', '<=', now)
    .orderBy('plan_id')
    .orderBy('id')
    .limit(500)
    .execute()
  return rows.map((row) => ({ ...row, day: row.day as BusinessDay }))
}

/** When the last reservation of a user that was not used ended. */
export async function lastLapseOf(db: DbOrTx, userId: bigint): Promise<Date | undefined> {
  const row = await db
    .selectFrom('reservation')
    .select('expires_at')
    .where('user_id', '=', userId)
    .where('state', '=', 'lapsed')
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.expires_at
}
