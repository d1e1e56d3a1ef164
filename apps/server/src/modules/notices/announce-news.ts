import { type RawBuilder, sql } from 'kysely'
import { announce } from '../../platform/announcements.ts'
import type { Db, Tx } from '../../platform/db.ts'

/** The channel on which the open pages of holders hear at once that there is news: the id of a user, or an address in hex. */
export const HOLDER_NEWS = 'holder_news'

/**
 * Has the open pages of holders, named by user id or by address, look at once for what has changed, instead of within
 * seconds. For what people wait for on a page; never for many holders at a time, as commits that announce wait for one another.
 */
export async function announceNews(
  db: Db | Tx,
  holders: readonly (bigint | Buffer)[],
): Promise<void> {
  const whom = holders.map((one) => (typeof one === 'bigint' ? `${one}` : one.toString('hex')))
  await announce(db, HOLDER_NEWS, whom)
}

/** The same in the `returning` of a statement that writes what people wait for, so that it costs none of its own. */
export function announcedNews(holder: RawBuilder<bigint> | RawBuilder<Buffer>): RawBuilder<string> {
  return sql<string>`pg_notify(${HOLDER_NEWS}, ltrim(${holder}::text, '\\x'))`
}
