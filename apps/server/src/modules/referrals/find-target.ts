import type { ReadDb } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { findNamedUser, type UserRecord } from '../auth/index.ts'

/** The user with an address or id that an admin gave. @throws Refusal `NOT_FOUND`, `BAD_ADDRESS` */
export async function findTarget(db: ReadDb, name: string): Promise<UserRecord> {
  const user = await findNamedUser(db, name)
  if (user === 'unreadable') throw new Refusal('BAD_ADDRESS')
  if (user === undefined) throw new Refusal('NOT_FOUND')
  return user
}
