import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_cursor (
      chain text primary key check (chain in ('TRON', 'BSC')),
      block_number bigint not null check (block_number >= 0),
      block_hash bytea not null check (octet_length(block_hash) = 32),
      block_time timestamptz not null,
      final_number bigint not null,
      final_time timestamptz not null,
      head_number bigint not null,
      observed_at timestamptz not null,
      rechecked_number bigint not null default 0
    )`.execute(db)
  await sql`
    create table chain_event (
      chain text not null check (chain in ('TRON', 'BSC')),
      tx_hash bytea not null check (octet_length(tx_hash) = 32),
      log_index integer not null check (log_index >= 0),
      block_number bigint not null,
      block_hash bytea not null check (octet_length(block_hash) = 32),
      block_time timestamptz not null,
      address bytea not null check (octet_length(address) = 20),
      name text not null,
      args jsonb not null,
      primary key (chain, tx_hash, log_index)
    )`.execute(db)
  await sql`create index chain_event_by_block on chain_event (chain, block_number)`.execute(db)
  await sql`
    create table chain_halt (
      chain text primary key check (chain in ('TRON', 'BSC')),
      block_number bigint not null,
      expected_hash bytea not null,
      found_hash bytea not null,
      halted_at timestamptz not null
    )`.execute(db)
}
