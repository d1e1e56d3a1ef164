import type { AdminLogEntry } from '@dct/api-contract/admin'
import { formatTronAddress } from '@dct/rules/addresses'
import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import {
  cappedTotal,
  type DayRange,
  instantsOf,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  prefixPattern,
} from '../../platform/lists.ts'
import './admin.tables.ts'

/** `admins`: who acted. */
export type LogFilter = {
  search: string
  action?: string
  admins?: readonly bigint[]
  range: DayRange
}

/** One page of what admins did. */
export async function findLogEntries(
  db: DbOrTx,
  filter: LogFilter,
  page: Paging & { direction: 'asc' | 'desc' },
) {
  return orderedEntries(db, filter, page.direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

/** All that admins did, in order. */
export function orderedEntries(db: DbOrTx, filter: LogFilter, direction: 'asc' | 'desc') {
  return matching(db, filter)
    .innerJoin('app_user as u', 'u.id', 'l.admin_id')
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

/** How many entries there are, exactly up to a limit. */
export async function countLogEntries(
  db: DbOrTx,
  filter: LogFilter,
): Promise<{ total: number; isCapped: boolean }> {
  const some = matching(db, filter)
    .select('l.id')
    .limit(MAX_COUNTED + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return cappedTotal(count)
}

/** Everything that was ever done, by its name. The index is asked for one name after the other. */
export async function knownActions(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive known as (
      (select action from admin_log order by action limit 1)
      union all
      select (select l.action from admin_log l where l.action > known.action order by l.action limit 1)
        from known where known.action is not null)
    select action from known where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

function matching(db: DbOrTx, { search, action, admins, range }: LogFilter) {
  const { from, before } = instantsOf(range)
  let entries = db.selectFrom('admin_log as l')
  if (search !== '') entries = entries.where('l.subject', 'like', prefixPattern(search))
  if (action !== undefined) entries = entries.where('l.action', '=', action)
  if (admins !== undefined) entries = entries.where(actedBy(admins))
  if (from !== undefined) entries = entries.where('l.at', '>=', from)
  if (before !== undefined) entries = entries.where('l.at', '<', before)
  return entries
}

/** Written as an equation for a single one, whose acts an index holds in the order of their time. */
function actedBy(admins: readonly bigint[]) {
  const [first, ...others] = admins
  if (first === undefined) return sql<boolean>`false`
  if (others.length === 0) return sql<boolean>`l.admin_id = ${first}`
  return sql<boolean>`l.admin_id in (${sql.join([first, ...others])})`
}

/** Who acted and has, or had, that address: whoever was removed can have registered again. */
export async function actorsAt(db: DbOrTx, address: Buffer): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    with recursive actor as (
      (select admin_id from admin_log order by admin_id limit 1)
      union all
      select (select l.admin_id from admin_log l where l.admin_id > actor.admin_id
          order by l.admin_id limit 1)
        from actor where actor.admin_id is not null)
    select u.id from actor join app_user u on u.id = actor.admin_id
    where u.address = ${address}`.execute(db)
  return rows.map(({ id }) => id)
}
