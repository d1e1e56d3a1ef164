import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'

/** USDT base units that referrers have earned and not claimed, and that they claimed and nobody approved yet. */
export async function referralOwed(db: DbOrTx): Promise<{ unclaimed: bigint; requested: bigint }> {
  const { rows } = await sql<{ unclaimed: bigint; requested: bigint }>`
    select
      (select coalesce(sum(earned - claimed), 0) from referral_balance) as unclaimed,
      (select coalesce(sum(amount), 0) from referral_claim where state = 'requested') as requested`.execute(
    db,
  )
  return rows[0] ?? { unclaimed: 0n, requested: 0n }
}
