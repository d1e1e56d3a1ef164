import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'

/** The number of fees paid since an instant, and the sum of their energy parts in USDT base units. */
export async function energyFeesSince(
  db: Db,
  since: Date,
): Promise<{ count: number; amount: bigint }> {
  const { rows } = await sql<{ count: number; amount: bigint }>`
    select count(*)::int as count, coalesce(sum(energy_fee), 0) as amount
      from claim where state = 'paid' and paid_at >= ${since}`.execute(db)
  return rows[0] ?? { count: 0, amount: 0n }
}
