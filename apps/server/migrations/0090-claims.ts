import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table claim (
      id bigint generated always as identity primary key,
      code_claim text not null constraint claim_code_once unique,
      earning_id bigint not null references earning (id),
      stake_id numeric(78, 0) not null,
      staker bytea not null check (length(staker) = 20),
      user_id bigint not null references app_user (id),
      plan_code text not null,
      kind text not null check (kind in ('FULL', 'HALF')),
      first_cycle integer not null,
      last_cycle integer not null check (last_cycle >= first_cycle),
      previous_through integer not null,
      amount numeric(78, 0) not null check (amount > 0),
      now_amount numeric(78, 0) not null check (now_amount >= 0),
      later_amount numeric(78, 0) not null check (later_amount > 0),
      price numeric(78, 0) not null check (price > 0),
      unpaid_fee numeric(78, 0) not null check (unpaid_fee >= 0),
      fee_usdt numeric(78, 0) not null check (fee_usdt >= 0),
      energy_fee numeric(78, 0) not null check (energy_fee >= 0),
      exact_amount numeric(78, 0) not null check (exact_amount > 0),
      receiver bytea not null check (length(receiver) = 20),
      not_before_block bigint not null,
      state text not null default 'awaiting_fee'
        check (state in ('awaiting_fee', 'paid', 'cancelled', 'lapsed')),
      requested_at timestamptz not null,
      fee_until timestamptz not null,
      paid_at timestamptz,
      deadline timestamptz,
      closed_at timestamptz,
      fee_tx bytea check (length(fee_tx) = 32),
      fee_log_index integer,
      now_tx bytea check (length(now_tx) = 32),
      later_tx bytea check (length(later_tx) = 32),
      constraint claim_parts_make_the_whole check (now_amount + later_amount = amount),
      constraint claim_half_splits check ((kind = 'FULL' and now_amount = 0) or (kind = 'HALF' and now_amount = div(amount, 2))),
      constraint claim_paid_by_a_log check ((state = 'paid') = (fee_tx is not null and paid_at is not null)),
      constraint claim_fee_once unique (fee_tx, fee_log_index)
    )`.execute(db)
  await sql`create unique index claim_one_open_fee on claim (earning_id) where state = 'awaiting_fee'`.execute(
    db,
  )
  await sql`create unique index claim_cycles_once on claim (earning_id, first_cycle) where state <> 'cancelled'`.execute(
    db,
  )
  await sql`create index claim_open_amount on claim (receiver, exact_amount) where state = 'awaiting_fee'`.execute(
    db,
  )
  await sql`create index claim_of_user on claim (user_id, requested_at desc, id desc)`.execute(db)
  await sql`create index claim_newest on claim (requested_at desc, id desc)`.execute(db)
  // One for every column that the admins' list can be sorted by.
  for (const column of ['amount', 'exact_amount', 'plan_code', 'staker', 'kind', 'state']) {
    await sql`create index on claim (${sql.ref(column)}, id)`.execute(db)
  }
  await sql`create index claim_fee_until on claim (fee_until) where state = 'awaiting_fee'`.execute(
    db,
  )
  await sql`create index on claim (now_tx) where now_tx is not null`.execute(db)
  await sql`create index on claim (later_tx) where later_tx is not null`.execute(db)
  await sql`
    create table amount_hold (
      receiver bytea not null check (length(receiver) = 20),
      exact_amount numeric(78, 0) not null,
      claim_id bigint not null constraint amount_hold_of_claim_once unique references claim (id),
      constraint amount_held_once primary key (receiver, exact_amount)
    )`.execute(db)
  await sql`
    create table usdt_receipt (
      tx_hash bytea not null check (length(tx_hash) = 32),
      log_index integer not null,
      from_address bytea not null check (length(from_address) = 20),
      to_address bytea not null check (length(to_address) = 20),
      amount numeric(78, 0) not null check (amount > 0),
      block_number bigint not null,
      block_time timestamptz not null,
      state text not null check (state in ('settled', 'unmatched', 'refunded', 'internal')),
      claim_id bigint constraint usdt_receipt_claim_once unique references claim (id),
      nearest_claim_id bigint references claim (id),
      note text,
      handled_by bigint references app_user (id),
      handled_at timestamptz,
      primary key (tx_hash, log_index),
      constraint usdt_receipt_settles_a_claim check ((state = 'settled') = (claim_id is not null))
    )`.execute(db)
  await sql`create index usdt_receipt_unmatched on usdt_receipt (block_time desc) where state = 'unmatched'`.execute(
    db,
  )
  await sql`create index usdt_receipt_nearest on usdt_receipt (nearest_claim_id, block_number desc) where state = 'unmatched'`.execute(
    db,
  )
  await sql`
    create table fee_hint (
      claim_id bigint primary key references claim (id),
      tx_hash bytea not null check (length(tx_hash) = 32),
      submitted_at timestamptz not null,
      problem text,
      message text,
      checked_at timestamptz,
      check ((problem is null) = (message is null))
    )`.execute(db)
  await sql`create index fee_hint_of_transaction on fee_hint (tx_hash)`.execute(db)
  await sql`create index fee_hint_open on fee_hint (checked_at nulls first) where problem is null`.execute(
    db,
  )
}
