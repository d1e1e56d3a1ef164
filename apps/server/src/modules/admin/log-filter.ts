import type { AdminLogQuery } from '@dct/api-contract/admin'
import { parseTronAddress } from '@dct/rules/addresses'
import type { ReadDb } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { readDayRange } from '../../platform/lists.ts'
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
    ...(address.trim() === '' ? {} : { admins: await actorsAt(db, readAddress(address.trim())) }),
  }
}

function readAddress(text: string): Buffer {
  const bytes = parseTronAddress(text)
  if (bytes === undefined) throw new Refusal('BAD_ADDRESS')
  return Buffer.from(bytes)
}
