import { sql } from 'kysely'
import type { ReadDb } from '../../../platform/database/db.ts'

export type EarningTotals = {
  /** Booked stakes, plus announced joins that are not booked: waiting or failed. */
  transactions: bigint
  /** DCT base units credited so far. */
  credited: bigint
}

/** Totals of the whole service, summed from the stored counts. */
export async function earningTotals(db: ReadDb): Promise<EarningTotals> {
  const { rows } = await sql<EarningTotals>`
    select (select coalesce(sum(stakes), 0) from daily_stake_count)
        + (select count(*) from announced_join where state <> 'BOOKED') as transactions,
      (select coalesce(sum(credited), 0) from distribution_day) as credited`.execute(db)
  return rows[0] ?? { transactions: 0n, credited: 0n }
}

/** The number of stakes ever made, by plan code. */
export async function stakesOfPlans(db: ReadDb): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ code: string; stakes: bigint }>`
    select p.code, sum(c.stakes) as stakes
    from daily_stake_count c join earning_plan_view p on p.id = c.plan_id group by p.code`.execute(
    db,
  )
  return new Map(rows.map(({ code, stakes }) => [code, stakes]))
}
