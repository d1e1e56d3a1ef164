import { type Kysely, sql } from 'kysely'

/** What the referrals page asks for: places in the queue, and what was earned by a moment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index referral_claim_waiting on referral_claim (id) where state = 'requested'`.execute(
    db,
  )
  await sql`
    create index referral_claim_unpaid on referral_claim (payout_id)
      where state = 'approved'`.execute(db)
  await sql`
    create index referral_reward_of_kind on referral_reward
      (receiver_id, kind, created_at, row_number)`.execute(db)
}
