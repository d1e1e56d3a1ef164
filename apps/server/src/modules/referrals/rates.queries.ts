import type { Bps } from '@dct/money'
import type { Insertable } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import type { ReferralRateChangeTable } from './referrals.tables.ts'
import './referrals.tables.ts'

/** The percentage of a user, locked until commit, and whose it is. Undefined when there is no such user. */
export async function lockRate(
  tx: Tx,
  userId: bigint,
): Promise<{ rateBps: Bps; address: Buffer } | undefined> {
  const row = await tx
    .selectFrom('app_user')
    .select(['referral_reward_bps', 'address'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { rateBps: BigInt(row.referral_reward_bps), address: row.address }
}

export type RateProposal = { rateBps: Bps; proposedBy: bigint; at: Date }

export async function findRateProposal(
  db: DbOrTx,
  userId: bigint,
): Promise<RateProposal | undefined> {
  const row = await db
    .selectFrom('referral_rate_proposal')
    .select(['rate_bps', 'proposed_by', 'at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { rateBps: BigInt(row.rate_bps), proposedBy: row.proposed_by, at: row.at }
}

/** Puts a proposal in the place of the one before. */
export async function replaceRateProposal(
  tx: Tx,
  { userId, rateBps, proposedBy, at }: RateProposal & { userId: bigint },
): Promise<void> {
  const columns = { rate_bps: Number(rateBps), proposed_by: proposedBy, at }
  await tx
    .insertInto('referral_rate_proposal')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

export async function removeRateProposal(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('referral_rate_proposal').where('user_id', '=', userId).execute()
}

/** Writes a change into the log of percentages, which only grows. */
export async function insertRateChange(
  tx: Tx,
  change: Insertable<ReferralRateChangeTable>,
): Promise<void> {
  await tx.insertInto('referral_rate_change').values(change).execute()
}
