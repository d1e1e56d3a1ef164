import { type Kysely, sql } from 'kysely'

/** Fees by when they were paid: what a day or a month brought. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index claim_paid on claim (paid_at) where state = 'paid'`.execute(db)
}
