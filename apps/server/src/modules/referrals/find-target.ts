import type { DbOrTx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { findUserByAddress, getUser, readTronAddress, type UserRecord } from '../auth/index.ts'

/** The user whom an admin names by address or id. @throws Refusal `NOT_FOUND`, `BAD_ADDRESS` */
export async function findTarget(db: DbOrTx, name: string): Promise<UserRecord> {
  const user = /^[1-9]\d{0,17}$/.test(name)
    ? await getUser(db, BigInt(name))
    : await findUserByAddress(db, readTronAddress(name))
  if (user === undefined) throw new Refusal('NOT_FOUND')
  return user
}
