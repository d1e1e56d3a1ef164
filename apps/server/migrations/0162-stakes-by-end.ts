import { type Kysely, sql } from 'kysely'

/**
 * The stakes of some days in the order of their ends: those of other days are passed over in the index alone. The two
 * more columns never change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index earning_ends_at_tx_hash_idx`.execute(db)
  await sql`
    create index earning_by_end on earning (ends_at, tx_hash) include (started_at, id)`.execute(db)
}
