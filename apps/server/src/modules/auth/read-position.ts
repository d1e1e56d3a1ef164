import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { parsePosition, RUN, type Seen } from '../../platform/replica/position.ts'
import { own } from './auth.tables.ts'

const HERE = sql<string>`pg_current_wal_insert_lsn()`
const READS = ['reads_from', sql<string | null>`${sql.raw(RUN)}`.as('run')] as const

/** Records that a user has written: from now on, only a server that has this write may answer the user's sessions. */
export async function noteWrite(db: Db, userId: bigint): Promise<void> {
  await own(db)
    .updateTable('auth_session')
    .set({ reads_from: HERE })
    .where('user_id', '=', userId)
    .execute()
}

/**
 * The position that a replica must have reached to answer a session; undefined when the session has just ended. A new
 * session must see everything written before its first read, including what its registration wrote.
 */
export async function readPosition(db: Db, tokenHash: Buffer): Promise<Seen | undefined> {
  const known = await own(db)
    .selectFrom('auth_session')
    .select(READS)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  const seen = known?.reads_from ? known : await beginReading(db, tokenHash)
  return seen?.reads_from ? { position: parsePosition(seen.reads_from), run: seen.run } : undefined
}

async function beginReading(db: Db, tokenHash: Buffer) {
  return own(db)
    .updateTable('auth_session')
    .set({ reads_from: HERE })
    .where('token_hash', '=', tokenHash)
    .returning(READS)
    .executeTakeFirst()
}
