import type { Bps } from '@dct/money'
import { type Insertable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import { own, type ReferralRateChangeTable } from '../referrals.tables.ts'

/** The percentage of `aboveId` if that user is above `userId`; otherwise undefined. */
export async function rateAbove(
  db: DbOrTx,
  { userId, aboveId }: { userId: bigint; aboveId: bigint },
): Promise<Bps | undefined> {
  const { rows } = await sql<{ rate_bps: number }>`
    select rate_bps from referral_node
    where user_id = ${aboveId} and referral_is_under(${userId}, user_id, depth)`.execute(db)
  return rows[0] && BigInt(rows[0].rate_bps)
}

export type RateProposal = { rateBps: Bps; proposedBy: bigint; at: Date }

export async function findRateProposal(
  db: DbOrTx,
  userId: bigint,
): Promise<RateProposal | undefined> {
  const row = await own(db)
    .selectFrom('referral_rate_proposal')
    .select(['rate_bps', 'proposed_by', 'at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { rateBps: BigInt(row.rate_bps), proposedBy: row.proposed_by, at: row.at }
}

/** Stores a proposal, replacing an earlier one. */
export async function replaceRateProposal(
  tx: Tx,
  { userId, rateBps, proposedBy, at }: RateProposal & { userId: bigint },
): Promise<void> {
  const columns = { rate_bps: Number(rateBps), proposed_by: proposedBy, at }
  await own(tx)
    .insertInto('referral_rate_proposal')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

export async function removeRateProposal(tx: Tx, userId: bigint): Promise<void> {
  await own(tx).deleteFrom('referral_rate_proposal').where('user_id', '=', userId).execute()
}

/** Appends a change to the log of percentages. */
export async function insertRateChange(
  tx: Tx,
  change: Insertable<ReferralRateChangeTable>,
): Promise<void> {
  await own(tx).insertInto('referral_rate_change').values(change).execute()
}
