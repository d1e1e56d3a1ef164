import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import { signal } from './signals.ts'

/** The channel that wakes the open pages of holders. Carries a user id, or an address in hex. */
export const HOLDER_CHANGES = 'holder_changes'

/**
 * Makes the open pages of these holders, given by user id or address, check for changes immediately instead of within
 * seconds. For events that people wait for on a page; never for many holders at a time, because commits that signal
 * something wait for one another.
 */
export async function wakePages(db: Db | Tx, holders: readonly (bigint | Buffer)[]): Promise<void> {
  const whom = holders.map((one) => (typeof one === 'bigint' ? `${one}` : one.toString('hex')))
  await signal(db, HOLDER_CHANGES, whom)
}

/** Does the same in the `returning` of the statement that writes the event, which saves a separate statement. */
export function wakingPages(holder: RawBuilder<bigint> | RawBuilder<Buffer>): RawBuilder<string> {
  return sql<string>`pg_notify(${HOLDER_CHANGES}, ltrim(${holder}::text, '\\x'))`
}
