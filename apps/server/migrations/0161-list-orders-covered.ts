import { type Kysely, sql } from 'kysely'

/**
 * Far pages of the admins' lists: what an order or a count has to pass over is read out of its index alone. No index is
 * added; those that are there already hold a few more columns, which never change or change with an indexed one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await coverEarnings(db)
  await coverClaims(db)
  await coverPayouts(db)
}

async function coverEarnings(db: Kysely<unknown>): Promise<void> {
  // How many cycles were run of an earning follows from these: rewards in the order of amounts or addresses.
  for (const column of ['amount', 'staker']) {
    await sql`drop index ${sql.ref(`earning_${column}_tx_hash_idx`)}`.execute(db)
    await sql`
      create index ${sql.ref(`earning_by_${column}`)} on earning (${sql.ref(column)}, tx_hash)
        include (id, plan_id, start_day, cycles)`.execute(db)
  }
  // Whether a stake is still running: transactions, the ended ones first or last.
  await sql`
    alter table earning drop constraint earning_tx_hash_log_index_key,
      add constraint earning_once_an_event unique (tx_hash, log_index) include (ends_at, id)`.execute(
    db,
  )
}

async function coverClaims(db: Kysely<unknown>): Promise<void> {
  // Claims of some days are counted by state.
  await sql`drop index claim_newest`.execute(db)
  await sql`
    create index claim_newest on claim (requested_at desc, id desc) include (state)`.execute(db)
  // What waits for its fee is summed by plan for the money at a glance.
  await sql`drop index claim_fee_until`.execute(db)
  await sql`
    create index claim_fee_until on claim (fee_until) include (plan_code, later_amount)
      where state = 'awaiting_fee'`.execute(db)
}

async function coverPayouts(db: Kysely<unknown>): Promise<void> {
  // What is owed and not paid is summed by chain and plan for the same page.
  await sql`drop index payout_open`.execute(db)
  await sql`
    create index payout_open on payout (chain, id) include (plan_code, amount)
      where state in ('queued', 'signed', 'held')`.execute(db)
}
