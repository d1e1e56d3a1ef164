import type { AdminLogQuery } from '@dct/api-contract/admin'
import { readAddressSearch } from '@dct/rules/binary-search-text'
import type { ReadDb } from '../../platform/database/db.ts'
import { readDayRange } from '../../platform/http/lists.ts'
import { actorsAt, type LogFilter } from './admin-log.queries.ts'

/**
 * Reads the filter of the admin log. A search means the beginning of a subject, or the address of the admin who acted.
 * @throws Refusal `BAD_DATE`
 */
export async function readLogFilter(
  db: ReadDb,
  query: Pick<AdminLogQuery, 'search' | 'action' | 'start_date' | 'end_date'>,
): Promise<LogFilter> {
  const { search = '', action = '' } = query
  const address = readAddressSearch(search.trim())
  return {
    search: search.trim(),
    admins: address === undefined ? [] : await actorsAt(db, address),
    range: readDayRange(query),
    ...(action === '' ? {} : { action }),
  }
}
