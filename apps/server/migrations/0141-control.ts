import { type Kysely, sql } from 'kysely'

/** What is written once and kept: closed days, notes on cases, and the links that show a case to support. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index chain_event_time on chain_event (block_time)`.execute(db)
  await sql`create index usdt_receipt_claim on usdt_receipt (claim_id) where claim_id is not null`.execute(
    db,
  )
  await sql`
    create index usdt_receipt_meant on usdt_receipt (nearest_claim_id)
      where nearest_claim_id is not null`.execute(db)
  await sql`
    create table daily_close (
      day date primary key,
      closed_at timestamptz not null,
      closed_by bigint not null references app_user,
      differences integer not null check (differences >= 0),
      content text not null,
      sha256 bytea not null,
      constraint daily_close_hash check (sha256 = pg_catalog.sha256(convert_to(content, 'UTF8')))
    )`.execute(db)
  await sql`
    create table case_note (
      id bigint generated always as identity primary key,
      claim_id bigint not null references claim,
      admin_id bigint not null references app_user,
      text text not null check (length(text) between 1 and 2000),
      at timestamptz not null
    )`.execute(db)
  await sql`create index case_note_of_claim on case_note (claim_id, id)`.execute(db)
  await sql`
    create function statement_is_kept() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = '23514';
    end $$`.execute(db)
  for (const table of ['daily_close', 'case_note']) {
    await sql`
      create trigger append_only before update or delete or truncate on ${sql.table(table)}
        for each statement execute function statement_is_kept()`.execute(db)
  }
  // Of a link only the hash of its token is kept: who reads the table cannot follow it.
  await sql`
    create table case_link (
      id bigint generated always as identity primary key,
      claim_id bigint not null references claim,
      token_hash bytea not null unique check (octet_length(token_hash) = 32),
      created_by bigint not null references app_user,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_by bigint references app_user,
      revoked_at timestamptz,
      check (expires_at > created_at),
      check (num_nonnulls(revoked_by, revoked_at) in (0, 2))
    )`.execute(db)
  await sql`create index case_link_of_claim on case_link (claim_id, id)`.execute(db)
}
