import type { DbOrTx } from '../../platform/db.ts'
import {
  type DayRange,
  instantsOf,
  offsetOf,
  type Paging,
  prefixPattern,
} from '../../platform/lists.ts'
import './admin.tables.ts'

export type LogFilter = { search: string; action?: string; range: DayRange }

/** One page of what admins did. */
export async function findLogEntries(
  db: DbOrTx,
  filter: LogFilter,
  page: Paging & { direction: 'asc' | 'desc' },
) {
  return matching(db, filter)
    .innerJoin('app_user as u', 'u.id', 'l.admin_id')
    .select(['l.id', 'l.at', 'l.action', 'l.subject', 'l.before', 'l.after', 'l.ip', 'u.address'])
    .orderBy('l.at', page.direction)
    .orderBy('l.id', page.direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

/** How many entries there are: admins are few, and so are their acts. */
export async function countLogEntries(db: DbOrTx, filter: LogFilter): Promise<number> {
  const { count } = await matching(db, filter)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matching(db: DbOrTx, { search, action, range }: LogFilter) {
  const { from, before } = instantsOf(range)
  let entries = db.selectFrom('admin_log as l')
  if (search !== '') entries = entries.where('l.subject', 'like', prefixPattern(search))
  if (action !== undefined) entries = entries.where('l.action', '=', action)
  if (from !== undefined) entries = entries.where('l.at', '>=', from)
  if (before !== undefined) entries = entries.where('l.at', '<', before)
  return entries
}
