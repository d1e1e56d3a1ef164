import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/db.ts'

/** USDT base units in claims that await approval. */
export async function referralRequested(db: DbOrTx): Promise<bigint> {
  const { rows } = await sql<{ requested: bigint }>`
    select coalesce(sum(amount), 0) as requested from referral_claim
    where state = 'requested'`.execute(db)
  return rows[0]?.requested ?? 0n
}
