import { sql } from 'kysely'
import type { BusinessDay } from '../../platform/clock.ts'
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.ts'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { own, type ReservationState } from './plans.tables.ts'

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

/** Prevents other transactions from making reservations until commit. Must be taken before the quotas are locked. */
export async function lockReservations(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.reservations})`.execute(tx)
}

/** An address's live reservation, expired or not. */
export async function liveReservationOf(
  db: DbOrTx,
  address: Buffer,
): Promise<Reservation | undefined> {
  const row = await own(db)
    .selectFrom('reservation')
    .select(COLUMNS)
    .where('address', '=', address)
    .where('state', '=', 'live')
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, day: row.day as BusinessDay }
}

export async function insertReservation(
  tx: Tx,
  reservation: Omit<Reservation, 'id'> & Holding & { createdAt: Date; seenBlock: bigint },
): Promise<bigint> {
  const row = await own(tx)
    .insertInto('reservation')
    .values({
      user_id: reservation.userId,
      address: reservation.address,
      plan_id: reservation.planId,
      amount: reservation.amount,
      reward: reservation.reward,
      day: reservation.day,
      created_at: reservation.createdAt,
      expires_at: reservation.expiresAt,
      held: reservation.held,
      held_block: reservation.heldBlock,
      seen_block: reservation.seenBlock,
      state: 'live',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Ends a live reservation. @returns false if it had already ended */
export async function endReservation(
  tx: Tx,
  end: { id: bigint; state: Exclude<ReservationState, 'live'> },
): Promise<boolean> {
  const ended = await own(tx)
    .updateTable('reservation')
    .set({ state: end.state })
    .where('id', '=', end.id)
    .where('state', '=', 'live')
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** At most 500 expired reservations that are still live, in the order in which plans are locked. */
export async function overdueReservations(db: DbOrTx, now: Date): Promise<Reservation[]> {
  const rows = await own(db)
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

/** When the user's latest lapsed reservation expired. */
export async function lastLapseOf(db: DbOrTx, userId: bigint): Promise<Date | undefined> {
  const row = await own(db)
    .selectFrom('reservation')
    .select('expires_at')
    .where('user_id', '=', userId)
    .where('state', '=', 'lapsed')
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.expires_at
}

/** The balance of an address at a final block. */
export type Holding = { address: Buffer; held: bigint; heldBlock: bigint }

/** A live reservation, and what its address held when it was made. */
export type WatchedReservation = Reservation & Holding & { planCode: string; seenBlock: bigint }

/** All live reservations. */
export async function watchedReservations(db: DbOrTx): Promise<WatchedReservation[]> {
  const rows = await own(db)
    .selectFrom('reservation as r')
    .innerJoin('earning_plan as p', 'p.id', 'r.plan_id')
    .select(['r.id', 'r.user_id as userId', 'r.plan_id as planId', 'r.amount', 'r.reward', 'r.day'])
    .select(['r.expires_at as expiresAt', 'r.address', 'p.code as planCode'])
    .select(['r.held', 'r.held_block as heldBlock', 'r.seen_block as seenBlock'])
    .where('r.state', '=', 'live')
    .orderBy('r.id')
    .execute()
  return rows.map((row) => ({ ...row, day: row.day as BusinessDay }))
}

/** Whether another address has a live reservation that was made after a check, at a block other than the check's. */
export async function hasUnjudged(
  tx: Tx,
  look: { address: Buffer; seenBlock: bigint; judged: readonly bigint[] },
): Promise<boolean> {
  const row = await own(tx)
    .selectFrom('reservation')
    .select('id')
    .where('state', '=', 'live')
    .where('address', '<>', look.address)
    .where('seen_block', '<>', look.seenBlock)
    .where(sql<boolean>`id <> all(${look.judged.map(String)}::bigint[])`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
