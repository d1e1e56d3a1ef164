import { parseTronAddress } from '@dct/rules/addresses'
import type { ReadDb } from '../../platform/database/db.ts'
import { findUserByAddress, getUser, type UserRecord } from './users.queries.ts'

/** The user with an id or a Tron address that an admin gave. `unreadable`: the text is neither. */
export async function findNamedUser(
  db: ReadDb,
  name: string,
): Promise<UserRecord | undefined | 'unreadable'> {
  if (/^[1-9]\d{0,17}$/.test(name)) return getUser(db, BigInt(name))
  const address = parseTronAddress(name)
  return address === undefined ? 'unreadable' : findUserByAddress(db, address)
}
