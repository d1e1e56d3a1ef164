import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { Db } from '../../platform/database/db.ts'
import { hexOf } from '../chain/index.ts'
import { type Chain, own } from './payouts.tables.ts'

export type UnreadFee = { id: bigint; chain: Chain; hash: Hex; wasSuccessful: boolean }

/** Attempts that ended since then and whose fee is unknown, newest first. */
export async function unreadFees(
  db: Db,
  query: { since: Date; limit: number },
): Promise<UnreadFee[]> {
  const rows = await own(db)
    .selectFrom('send_attempt')
    .select(['id', 'chain', 'tx_hash', 'state'])
    .where('state', '<>', 'pending')
    .where('fee', 'is', null)
    .where('ended_at', '>=', query.since)
    .orderBy('id', 'desc')
    .limit(query.limit)
    .execute()
  return rows.map(({ id, chain, tx_hash, state }) => ({
    ...{ id, chain, hash: hexOf(tx_hash) },
    wasSuccessful: state === 'confirmed',
  }))
}

/** Stores a fee, unless another process has already stored it. */
export async function storeFee(db: Db, { id, fee }: { id: bigint; fee: bigint }): Promise<void> {
  await own(db)
    .updateTable('send_attempt')
    .set({ fee })
    .where('id', '=', id)
    .where('fee', 'is', null)
    .execute()
}

/**
 * The number of payouts or other calls that succeeded, and the fees of all attempts at them: sun on Tron, wei on BSC.
 */
export type SpentFees = { chain: Chain; isPayout: boolean; count: number; fees: bigint }

/** Fees of the service's transactions that ended since then, as far as they have been read. */
export async function spentFees(db: Db, since: Date): Promise<SpentFees[]> {
  const { rows } = await sql<SpentFees>`
    select chain, payout_id is not null as "isPayout",
           count(*) filter (where state = 'confirmed')::int as count, sum(fee) as fees
      from send_attempt
     where fee is not null and ended_at >= ${since}
     group by 1, 2
     order by 1, 2`.execute(db)
  return rows
}
