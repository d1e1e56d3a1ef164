import type { RoleName } from '@dct/api-contract/auth'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { readTronAddress } from './read-address.ts'
import { addUser } from './register.ts'
import { deleteSessionsOf } from './sessions.queries.ts'
import { findUserByAddress, lockAdmins, markDeleted, updateRole } from './users.queries.ts'

/**
 * Makes every listed address an admin, registering those without an account. Removes no roles. Safe to repeat and to
 * run in several processes.
 */
export async function ensureAdmins(
  deps: { db: Db; clock: Clock },
  addresses: readonly string[],
): Promise<void> {
  for (const address of addresses) await setRole(deps, { address, role: 'admin' })
}

/**
 * Sets the role of an address. A change ends all sessions of that user. For operators: no API call leads here.
 * @returns false when the user already had the role.
 * @throws Refusal `BAD_ADDRESS`, `NOT_REGISTERED` (removing the role from an unknown address), `LAST_ADMIN`
 */
export async function setRole(
  { db, clock }: { db: Db; clock: Clock },
  change: { address: string; role: RoleName },
): Promise<boolean> {
  const address = readTronAddress(change.address)
  return inTransaction(db, async (tx) => {
    const admins = await lockAdmins(tx)
    const user = await findUserByAddress(tx, address)
    if (user === undefined) {
      if (change.role === 'user') throw new Refusal('NOT_REGISTERED')
      return addAdmin(tx, { address, at: clock.now() })
    }
    if (change.role === 'user') refuseLastAdmin(admins, user.id)
    const hasChanged = await updateRole(tx, { id: user.id, role: change.role })
    if (hasChanged) await deleteSessionsOf(tx, user.id)
    return hasChanged
  })
}

/** Another process may add the same admin at the same moment; then there is nothing left to do. */
async function addAdmin(tx: Tx, admin: { address: Uint8Array; at: Date }): Promise<boolean> {
  try {
    await addUser(tx, {
      ...admin,
      email: null,
      role: 'admin',
      referrer: undefined,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ALREADY_REGISTERED') return false
    throw error
  }
}

/**
 * Removes a user: all sessions end, logins are refused, and the address may register again. The caller must make sure
 * that the user has no earnings, rewards or downline.
 * @throws Refusal `NOT_FOUND`, `CANNOT_REMOVE_SELF`, `LAST_ADMIN`
 */
export async function removeUser(
  tx: Tx,
  removal: { userId: bigint; byUserId: bigint; at: Date },
): Promise<void> {
  if (removal.userId === removal.byUserId) throw new Refusal('CANNOT_REMOVE_SELF')
  refuseLastAdmin(await lockAdmins(tx), removal.userId)
  const isRemoved = await markDeleted(tx, { id: removal.userId, at: removal.at })
  if (!isRemoved) throw new Refusal('NOT_FOUND')
  await deleteSessionsOf(tx, removal.userId)
}

function refuseLastAdmin(admins: readonly bigint[], userId: bigint): void {
  if (admins.length === 1 && admins[0] === userId) throw new Refusal('LAST_ADMIN')
}
