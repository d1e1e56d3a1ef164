import type { AdminLogEntry } from '@dct/api-contract/admin'
import { formatTronAddress } from '@dct/rules/addresses'
import type { BinarySearch } from '@dct/rules/binary-search-text'
import { sql } from 'kysely'
import { fitsAddress } from '../../platform/database/binary-search.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import {
  cappedTotal,
  type DayRange,
  instantsOf,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  prefixPattern,
} from '../../platform/http/lists.ts'
import { own } from './admin.tables.ts'

/** `admins`: the ids of those whose address the search may mean. */
export type LogFilter = {
  search: string
  admins: readonly bigint[]
  action?: string
  range: DayRange
}

/** One page of the admin log. */
export async function findLogEntries(
  db: ReadDb,
  filter: LogFilter,
  page: Paging & { direction: 'asc' | 'desc' },
) {
  return orderedEntries(db, filter, page.direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

/** All matching entries of the admin log, in order. */
export function orderedEntries(db: ReadDb, filter: LogFilter, direction: 'asc' | 'desc') {
  return matching(db, filter)
    .innerJoin('app_user_view as u', 'u.id', 'l.admin_id')
    .select(['l.id', 'l.at', 'l.action', 'l.subject', 'l.before', 'l.after', 'l.ip', 'u.address'])
    .orderBy('l.at', direction)
    .orderBy('l.id', direction)
}

type LogRow = Awaited<ReturnType<ReturnType<typeof orderedEntries>['execute']>>[number]

export function describeEntry({ id, at, address, ...entry }: LogRow): AdminLogEntry {
  return {
    ...entry,
    id: `${id}`,
    at: at.toISOString(),
    admin_tron_address: formatTronAddress(address),
  }
}

/** The number of matching entries, exact up to a limit. */
export async function countLogEntries(
  db: ReadDb,
  filter: LogFilter,
): Promise<{ total: number; isCapped: boolean }> {
  const some = matching(db, filter)
    .select('l.id')
    .limit(MAX_COUNTED + 1)
  const { count } = await own(db)
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return cappedTotal(count)
}

/** The names of all actions that ever occurred. Skips from one name to the next in the index. */
export async function knownActions(db: ReadDb): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive known as (
      (select action from admin_log order by action limit 1)
      union all
      select (select l.action from admin_log l where l.action > known.action order by l.action limit 1)
        from known where known.action is not null)
    select action from known where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

function matching(db: ReadDb, { search, action, admins, range }: LogFilter) {
  const { from, before } = instantsOf(range)
  let entries = own(db).selectFrom('admin_log as l')
  if (search !== '') {
    entries = entries.where((eb) => {
      const bySubject = eb('l.subject', 'like', prefixPattern(search))
      return admins.length === 0 ? bySubject : eb.or([bySubject, eb('l.admin_id', 'in', admins)])
    })
  }
  if (action !== undefined) entries = entries.where('l.action', '=', action)
  if (from !== undefined) entries = entries.where('l.at', '>=', from)
  if (before !== undefined) entries = entries.where('l.at', '<', before)
  return entries
}

/** The ids of admins who acted and whose address fits: a removed user may have registered again. */
export async function actorsAt(db: ReadDb, address: BinarySearch): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    with recursive actor as (
      (select admin_id from admin_log order by admin_id limit 1)
      union all
      select (select l.admin_id from admin_log l where l.admin_id > actor.admin_id
          order by l.admin_id limit 1)
        from actor where actor.admin_id is not null)
    select u.id from actor join app_user_view u on u.id = actor.admin_id
    where ${fitsAddress(sql.ref('u.address'), address)}`.execute(db)
  return rows.map(({ id }) => id)
}
