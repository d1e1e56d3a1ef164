import type { RoleName } from '@dct/api-contract/auth'
import { latestPossible } from '../../platform/clock.ts'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import { own } from './auth.tables.ts'

export type LiveSession = {
  userId: bigint
  address: Buffer
  role: RoleName
  lastSeenAt: Date
  endsAt: Date
}

/** The session with a token hash, if it is live, its user exists and still has the session's role. */
export async function findLiveSession(
  db: DbOrTx,
  key: { tokenHash: Buffer; now: Date },
): Promise<LiveSession | undefined> {
  return (
    own(db)
      .selectFrom('auth_session as s')
      .innerJoin('app_user as u', (join) =>
        join.onRef('u.id', '=', 's.user_id').onRef('u.role', '=', 's.role'),
      )
      .select([
        'u.id as userId',
        'u.address',
        'u.role',
        's.last_seen_at as lastSeenAt',
        's.ends_at as endsAt',
      ])
      .where('s.token_hash', '=', key.tokenHash)
      .where('s.expires_at', '>', key.now)
      // One from the future would live too long.
      .where('s.created_at', '<=', latestPossible(key.now))
      .where('u.deleted_at', 'is', null)
      .executeTakeFirst()
  )
}

export async function renewSession(
  db: Db | Tx,
  renewal: { tokenHash: Buffer; lastSeenAt: Date; expiresAt: Date },
): Promise<void> {
  await own(db)
    .updateTable('auth_session')
    .set({ last_seen_at: renewal.lastSeenAt, expires_at: renewal.expiresAt })
    .where('token_hash', '=', renewal.tokenHash)
    .execute()
}

export type NewSession = {
  tokenHash: Buffer
  userId: bigint
  role: RoleName
  createdAt: Date
  expiresAt: Date
  endsAt: Date
  network: string
  userAgent: string
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await own(tx)
    .insertInto('auth_session')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      role: session.role,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      expires_at: session.expiresAt,
      ends_at: session.endsAt,
      confirmed_at: null,
      network: session.network,
      user_agent: session.userAgent,
    })
    .execute()
}

export async function deleteSession(db: Db | Tx, tokenHash: Buffer): Promise<void> {
  await own(db).deleteFrom('auth_session').where('token_hash', '=', tokenHash).execute()
}

/** Ends all sessions of a user. @returns how many there were. */
export async function deleteSessionsOf(db: Db | Tx, userId: bigint): Promise<number> {
  const deleted = await own(db)
    .deleteFrom('auth_session')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Ends all sessions, and makes every text that waits for a signature useless. @returns how many sessions there were. */
export async function deleteAllSessions(tx: Tx): Promise<number> {
  await own(tx).deleteFrom('auth_challenge').execute()
  const deleted = await own(tx).deleteFrom('auth_session').executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Ends one session of a user. @returns false if it is not one of theirs */
export async function deleteSessionOf(
  db: Db | Tx,
  key: { userId: bigint; id: bigint },
): Promise<boolean> {
  const deleted = await own(db)
    .deleteFrom('auth_session')
    .where('user_id', '=', key.userId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** The live sessions of a user, the most recently used first. */
export async function listSessions(db: DbOrTx, key: { userId: bigint; now: Date }) {
  return (
    own(db)
      .selectFrom('auth_session')
      .select([
        'id',
        'token_hash',
        'created_at',
        'last_seen_at',
        'expires_at',
        'network',
        'user_agent',
      ])
      .where('user_id', '=', key.userId)
      .where('expires_at', '>', key.now)
      // As in `findLiveSession`: one from the future is none.
      .where('created_at', '<=', latestPossible(key.now))
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .limit(100)
      .execute()
  )
}

export async function confirmSession(
  tx: Tx,
  confirmation: { tokenHash: Buffer; at: Date },
): Promise<void> {
  await own(tx)
    .updateTable('auth_session')
    .set({ confirmed_at: confirmation.at })
    .where('token_hash', '=', confirmation.tokenHash)
    .execute()
}

/** When the session was last confirmed by a fresh signature; null if never, undefined without a session. */
export async function confirmedAt(db: DbOrTx, tokenHash: Buffer): Promise<Date | null | undefined> {
  const row = await own(db)
    .selectFrom('auth_session')
    .select('confirmed_at')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.confirmed_at
}
