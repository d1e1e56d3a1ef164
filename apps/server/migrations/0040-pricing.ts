import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dct_price (
      id bigint generated always as identity primary key,
      price numeric(78, 0) not null check (price > 0),
      set_by bytea check (octet_length(set_by) = 20),
      confirmed_by bytea check (octet_length(confirmed_by) = 20),
      at timestamptz not null,
      constraint dct_price_two_admins check (confirmed_by is distinct from set_by or set_by is null)
    )`.execute(db)
  await sql`create index dct_price_at on dct_price (at, id)`.execute(db)
  await sql`
    create table dct_price_proposal (
      single boolean primary key default true check (single),
      price numeric(78, 0) not null check (price > 0),
      proposed_by bytea not null check (octet_length(proposed_by) = 20),
      at timestamptz not null
    )`.execute(db)
}
