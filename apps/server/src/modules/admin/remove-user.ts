import { formatTronAddress } from '@dct/rules/addresses'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction, isViolationOf } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { findNamedUser, removeUser } from '../auth/index.ts'
import { forgetHolder } from '../messages/index.ts'
import { bondsOf } from './users.queries.ts'

type RemoveUserDeps = { db: Db; clock: Clock; recordAdminAction: RecordAdminAction }

/**
 * Removes a user without earnings, rewards or downline, given by id or address.
 * @throws Refusal `USER_NOT_FOUND`, `USER_HAS_EARNINGS`, `USER_HAS_REWARDS`, `USER_HAS_DOWNLINE`, `CANNOT_REMOVE_SELF`,
 * `LAST_ADMIN`
 */
export async function removeUnboundUser(
  { db, clock, recordAdminAction }: RemoveUserDeps,
  input: { target: string; adminId: bigint },
): Promise<void> {
  const at = clock.now()
  try {
    await inTransaction(db, async (tx) => {
      const user = await findNamedUser(tx, input.target)
      if (user === undefined || user === 'unreadable') throw new Refusal('USER_NOT_FOUND')
      const bonds = await bondsOf(tx, user)
      if (bonds.hasEarnings) throw new Refusal('USER_HAS_EARNINGS')
      if (bonds.hasRewards) throw new Refusal('USER_HAS_REWARDS')
      await removeUser(tx, { userId: user.id, byUserId: input.adminId, at })
      await forgetHolder(tx, user.id)
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
    // A trigger on `app_user` enforces this, so that nobody can register below a user at the moment of the removal.
    if (isViolationOf(error, 'referral_node_referrer')) throw new Refusal('USER_HAS_DOWNLINE')
    throw error
  }
}
