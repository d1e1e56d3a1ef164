import { type Kysely, sql } from 'kysely'

/** The orders and searches of the admins' lists that no index had yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await indexPayouts(db)
  await indexPayments(db)
  await indexReferralClaims(db)
  // By what the list shows: the later transaction, or the first half's while there is none.
  await sql`create index claim_by_transaction on claim ((coalesce(later_tx, now_tx)), id)`.execute(
    db,
  )
}

async function indexPayouts(db: Kysely<unknown>): Promise<void> {
  await sql`drop index payout_state`.execute(db)
  await sql`create index payout_state on payout (state, created_at, id)`.execute(db)
  await sql`create index payout_by_time on payout (created_at, id)`.execute(db)
  await sql`create index payout_by_amount on payout (amount, id)`.execute(db)
  await sql`create index payout_final_tx on payout (final_tx) where final_tx is not null`.execute(
    db,
  )
  await sql`create index payout_cause_search on payout (cause text_pattern_ops)`.execute(db)
}

/** Payments that settled their fee by themselves are in no list. */
async function indexPayments(db: Kysely<unknown>): Promise<void> {
  await sql`drop index usdt_receipt_unmatched`.execute(db)
  for (const column of ['block_time', 'amount']) {
    await sql`
      create index ${sql.ref(`usdt_receipt_odd_by_${column}`)}
        on usdt_receipt (state, ${sql.ref(column)}, tx_hash, log_index)
        where state <> 'settled' or handled_by is not null`.execute(db)
  }
  await sql`
    create index usdt_receipt_sender on usdt_receipt (from_address)
      where state <> 'settled' or handled_by is not null`.execute(db)
}

async function indexReferralClaims(db: Kysely<unknown>): Promise<void> {
  for (const column of ['amount', 'approved_at']) {
    await sql`
      create index ${sql.ref(`referral_claim_by_${column}`)}
        on referral_claim (${sql.ref(column)}, id)`.execute(db)
  }
  await sql`
    create index referral_claim_paid_tx on referral_claim (paid_tx)
      where paid_tx is not null`.execute(db)
  await sql`create index referral_claim_usdt_address on referral_claim (usdt_address)`.execute(db)
}
