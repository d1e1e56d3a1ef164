-- Data read from the chains. Only final blocks are recorded.

-- How far each chain has been read. The hash shows whether the next block builds on the last one read. `proved_figures`:
-- figures that the chain keeps by itself at block `proved_number`, up to which they agreed with the events; what is not
-- booked by the time of that block (`proved_time`) did not happen.
create table chain_cursor (
  chain text primary key check (chain in ('TRON', 'BSC')),
  block_number bigint not null check (block_number >= 0),
  block_hash bytea not null check (octet_length(block_hash) = 32),
  block_time timestamptz not null,
  final_number bigint not null,
  final_time timestamptz not null,
  head_number bigint not null,
  observed_at timestamptz not null,
  proved_number bigint,
  proved_figures jsonb,
  proved_time timestamptz,
  constraint chain_cursor_proof_whole check ((proved_number is null) = (proved_figures is null))
);

-- An event of a contract, recorded once. `undone_at`: its final block was replaced, which a chain promises never to do;
-- an admin decides what to do. One whose bookings were taken back is deleted, and stays on record with its halt.
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
  undone_at timestamptz,
  primary key (chain, tx_hash, log_index)
);
create index chain_event_by_block on chain_event (chain, block_number);
create index chain_event_time on chain_event (block_time);

-- A chain whose final block was replaced: it is neither read nor paid on until an admin has accepted the changes. One
-- halt at a time per chain.
create table chain_halt (
  id bigint generated always as identity primary key,
  chain text not null check (chain in ('TRON', 'BSC')),
  block_number bigint not null,
  expected_hash bytea not null,
  found_hash bytea not null,
  halted_at timestamptz not null,
  ended_at timestamptz,
  changes jsonb,
  check ((ended_at is null) = (changes is null))
);
create unique index chain_halted_once on chain_halt (chain) where ended_at is null;

-- Every address that the service has ever used, with each of its roles. Rows are only added: transactions of a former
-- key can still be mined, and payments still reach former addresses.
create table own_address (
  chain text not null check (chain in ('TRON', 'BSC')),
  address bytea not null check (octet_length(address) = 20),
  role text not null check (role in ('operator', 'payout_wallet', 'payout_operator', 'fee_receiver')),
  since timestamptz not null,
  primary key (chain, address, role),
  check ((role = 'operator') = (chain = 'TRON'))
);

-- How far each chain was read, for audit.
create view chain_cursor_view as select chain, block_number from chain_cursor;
-- What happened on the chains, for audit and reports.
create view chain_event_view as
  select chain, tx_hash, log_index, block_number, block_time, address, name, args, undone_at
  from chain_event;
-- Every address ever used, for audit and the matching of payments.
create view own_address_view as select chain, address, role from own_address;
