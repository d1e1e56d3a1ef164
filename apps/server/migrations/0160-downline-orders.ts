import { type Kysely, sql } from 'kysely'

/** Pages of large downlines are put together in the memory of the process that answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Members are found there, so nothing in the database needs to walk levels, or to order users by depth.
  await sql`drop function referral_levels, referral_far_levels, referral_members`.execute(db)
  await sql`drop index referral_node_depth`.execute(db)
  // Who was removed is read before each such page: without it that would be a look at everybody.
  await sql`create index referral_node_removed on referral_node (user_id) where is_removed`.execute(
    db,
  )
  // The orders of direct referrals by what is locked and by referrals. Most users have neither, so they are in
  // neither index; the sums that change most (members, turnover) are in none.
  for (const figure of ['locked', 'directs']) {
    await sql`
      create index ${sql.ref(`downline_total_by_${figure}`)}
        on downline_total (${sql.ref(figure)}, user_id) where ${sql.ref(figure)} > 0`.execute(db)
  }
}
