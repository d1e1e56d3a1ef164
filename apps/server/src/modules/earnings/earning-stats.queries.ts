import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import './earnings.tables.ts'

export type EarningTotals = {
  /** Stakes on chain, and joins that were announced and are none. */
  transactions: bigint
  /** DCT base units credited so far. */
  credited: bigint
}

/** Totals of the whole service, summed from the days' counts. */
export async function earningTotals(db: DbOrTx): Promise<EarningTotals> {
  const { rows } = await sql<EarningTotals>`
    select (select coalesce(sum(stakes), 0) from stake_count)
        + (select count(*) from join_submission where state <> 'BOOKED') as transactions,
      (select coalesce(sum(credited), 0) from distribution_day) as credited`.execute(db)
  return rows[0] ?? { transactions: 0n, credited: 0n }
}
