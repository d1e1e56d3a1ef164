import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'

/** USDT base units that one holder is owed, and the 20 bytes of the holder's Tron address. */
export type OwedHolder = { userId: bigint; address: Buffer; owed: bigint }

/** Every holder who is owed referral rewards: unclaimed, or in a claim that is not paid yet. As of one moment. */
export async function owedHolders(db: DbOrTx): Promise<OwedHolder[]> {
  const { rows } = await sql<OwedHolder>`
    select u.id as "userId", u.address, sum(o.owed) as owed
    from (
      select user_id, earned - claimed as owed from referral_balance
      union all
      select user_id, amount from referral_claim where state in ('requested', 'approved')
    ) o
    join app_user_view u on u.id = o.user_id
    group by u.id, u.address
    having sum(o.owed) > 0`.execute(db)
  return rows
}
