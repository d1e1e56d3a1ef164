import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { type Position, parsePosition } from '../../platform/replica/position.ts'
import { own } from './auth.tables.ts'

const HERE = sql<string>`pg_current_wal_insert_lsn()`

/** Notes that a user has written: from now on only what has seen that may answer any of the user's sessions. */
export async function noteWrite(db: Db, userId: bigint): Promise<void> {
  await own(db)
    .updateTable('auth_session')
    .set({ reads_from: HERE })
    .where('user_id', '=', userId)
    .execute()
}

/**
 * What a replica must have seen to answer a session; undefined when the session has just ended. A new session must see
 * everything written until its first read, among it what its registration wrote.
 */
export async function readPosition(db: Db, tokenHash: Buffer): Promise<Position | undefined> {
  const known = await own(db)
    .selectFrom('auth_session')
    .select('reads_from')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  const from = known?.reads_from ?? (await beginReading(db, tokenHash))
  return from === undefined ? undefined : parsePosition(from)
}

async function beginReading(db: Db, tokenHash: Buffer): Promise<string | undefined> {
  const begun = await own(db)
    .updateTable('auth_session')
    .set({ reads_from: HERE })
    .where('token_hash', '=', tokenHash)
    .returning('reads_from')
    .executeTakeFirst()
  return begun?.reads_from ?? undefined
}
