import { formatTronAddress, parseTronAddress } from '@dct/rules/addresses'
import type { RecordAdminAction } from '../../platform/admin-actions.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, isViolationOf, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { findUserByAddress, getUser, removeUser, type UserRecord } from '../auth/index.ts'
import { bondsOf } from './users.queries.ts'

type RemoveUserDeps = { db: Db; clock: Clock; recordAdminAction: RecordAdminAction }

/**
 * Removes a user whom nothing ties to the product, by id or address.
 * @throws Refusal `USER_NOT_FOUND`, `USER_HAS_EARNINGS`, `USER_HAS_REWARDS`, `USER_HAS_DOWNLINE`,
 * `CANNOT_REMOVE_SELF`, `LAST_ADMIN`
 */
export async function removeUnboundUser(
  { db, clock, recordAdminAction }: RemoveUserDeps,
  input: { target: string; adminId: bigint },
): Promise<void> {
  const at = clock.now()
  try {
    await inTransaction(db, async (tx) => {
      const user = await findTarget(tx, input.target)
      const bonds = await bondsOf(tx, user)
      if (bonds.hasEarnings) throw new Refusal('USER_HAS_EARNINGS')
      if (bonds.hasRewards) throw new Refusal('USER_HAS_REWARDS')
      await removeUser(tx, { userId: user.id, byUserId: input.adminId, at })
      await recordAdminAction(tx, {
        adminId: input.adminId,
        action: 'user.remove',
        subject: formatTronAddress(user.address),
        before: { referral_code: user.referralCode, role: user.role },
        after: null,
        at,
      })
    })
  } catch (error) {
    // The tree itself refuses, so that nobody can register below a user in the very moment of the removal.
    if (isViolationOf(error, 'referral_node_referrer')) throw new Refusal('USER_HAS_DOWNLINE')
    throw error
  }
}

async function findTarget(tx: Tx, target: string): Promise<UserRecord> {
  const address = parseTronAddress(target)
  const isId = /^[1-9]\d{0,17}$/.test(target)
  const user =
    address !== undefined
      ? await findUserByAddress(tx, address)
      : isId
        ? await getUser(tx, BigInt(target))
        : undefined
  if (user === undefined) throw new Refusal('USER_NOT_FOUND')
  return user
}
