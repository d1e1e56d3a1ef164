import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'
import './auth.tables.ts'

/** How long things are remembered after their end, so that a late answer hears why. */
const REMEMBERED_MS = 60 * 60_000
const CLEARED_AT_ONCE = 1_000
const LEFTOVERS = [
  { table: 'auth_challenge', key: 'nonce', end: 'expires_at' },
  { table: 'auth_session', key: 'id', end: 'expires_at' },
  { table: 'request_count', key: 'key', end: 'window_start' },
] as const

/** Clears away some of what is over: challenges, sessions, counts. Rows that others hold are left to them. */
export async function clearLeftovers(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - REMEMBERED_MS)
  for (const { table, key, end } of LEFTOVERS) {
    await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(end)} < ${before}
          limit ${CLEARED_AT_ONCE} for update skip locked)`.execute(tx)
  }
}
