import type { AdminLogQuery } from '@dct/api-contract/admin'
import type { ReadDb } from '../../platform/database/db.ts'
import { readDayRange } from '../../platform/http/lists.ts'
import { readTronAddress } from '../auth/index.ts'
import { actorsAt, type LogFilter } from './admin-log.queries.ts'

/**
 * Reads the filter of the admin log.
 * @throws Refusal `BAD_ADDRESS`, `BAD_DATE`
 */
export async function readLogFilter(
  db: ReadDb,
  query: Pick<AdminLogQuery, 'search' | 'action' | 'tron_address' | 'start_date' | 'end_date'>,
): Promise<LogFilter> {
  const { search = '', action = '', tron_address: address = '' } = query
  return {
    search: search.trim(),
    range: readDayRange(query),
    ...(action === '' ? {} : { action }),
    ...(address.trim() === ''
      ? {}
      : { admins: await actorsAt(db, readTronAddress(address.trim())) }),
  }
}
