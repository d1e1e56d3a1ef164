import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'

/** How long rows are kept after they expire, so that a late request still gets the precise error. */
const REMEMBERED_MS = 60 * 60_000
const CLEARED_AT_ONCE = 1_000
const EXPIRING = [
  { table: 'auth_challenge', key: 'nonce', end: 'expires_at' },
  { table: 'auth_session', key: 'id', end: 'expires_at' },
  { table: 'request_count', key: 'key', end: 'window_start' },
] as const

/** Deletes some of the expired challenges, sessions and counts, skipping locked rows. */
export async function clearExpired(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - REMEMBERED_MS)
  for (const { table, key, end } of EXPIRING) {
    await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(end)} < ${before}
          limit ${CLEARED_AT_ONCE} for update skip locked)`.execute(tx)
  }
}
