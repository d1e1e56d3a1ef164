import { type Kysely, sql } from 'kysely'

/** A receiver's rewards by whose fee they are a share of: for the search and the order by address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index referral_reward_by_payer on referral_reward (receiver_id, from_address, id)`.execute(
    db,
  )
}
