import type { Bps } from '@dct/money'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { hasOtherAdmin } from '../../auth/index.ts'

export type RequestedRate = {
  userId: bigint
  adminId: bigint
  /** The user's current percentage. */
  before: Bps
  rateBps: Bps
  at: Date
}

/**
 * Whether setting a percentage needs two admins: for a raise above the threshold, or a change that benefits the
 * requesting admin. A lone admin may decide alone, except about their own percentage.
 * @throws Refusal `OWN_PERCENTAGE`
 */
export async function needsSecondAdmin(
  { secondApprovalRateBps }: { secondApprovalRateBps: Bps },
  db: DbOrTx,
  requested: RequestedRate,
): Promise<boolean> {
  const isOwn = requested.userId === requested.adminId
  const hasOther = await hasOtherAdmin(db, requested)
  if (isOwn && !hasOther) throw new Refusal('OWN_PERCENTAGE')
  const isLarge = requested.rateBps > secondApprovalRateBps && requested.rateBps > requested.before
  return hasOther && (isOwn || isLarge || (await isGainOfAdmin(db, requested)))
}

/** A lower percentage leaves more of the fees below that user to those above. */
async function isGainOfAdmin(db: DbOrTx, requested: RequestedRate): Promise<boolean> {
  if (requested.rateBps >= requested.before) return false
  const adminRate = await rateAbove(db, { userId: requested.userId, aboveId: requested.adminId })
  return adminRate !== undefined && adminRate > requested.rateBps
}

/** The percentage of `aboveId` if that user is above `userId`; otherwise undefined. */
async function rateAbove(
  db: DbOrTx,
  { userId, aboveId }: { userId: bigint; aboveId: bigint },
): Promise<Bps | undefined> {
  const { rows } = await sql<{ rate_bps: number }>`
    select rate_bps from referral_node
    where user_id = ${aboveId} and referral_is_under(${userId}, user_id, depth)`.execute(db)
  return rows[0] && BigInt(rows[0].rate_bps)
}
