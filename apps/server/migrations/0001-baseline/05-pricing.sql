-- The price of DCT, used to calculate claim fees.

-- Every price that was ever in force, each from `at` on: USDT for one DCT, with 8 decimals. Admins cannot confirm their
-- own proposals. `from_pair`: taken from a pair on chain. The first price can come from the installation's settings; like
-- one from a pair it has no `set_by`.
create table dct_price (
  id bigint generated always as identity primary key,
  price numeric(78,0) not null check (price > 0),
  set_by bytea check (octet_length(set_by) = 20),
  confirmed_by bytea check (octet_length(confirmed_by) = 20),
  at timestamptz not null,
  from_pair boolean not null default false,
  constraint dct_price_two_admins check (confirmed_by is distinct from set_by or set_by is null),
  constraint dct_price_one_source check (not from_pair or (set_by is null and confirmed_by is null))
);
create index dct_price_at on dct_price (at, id);

-- A price that awaits a second admin. At most one.
create table dct_price_proposal (
  single boolean primary key default true check (single),
  price numeric(78,0) not null check (price > 0),
  proposed_by bytea not null check (octet_length(proposed_by) = 20),
  at timestamptz not null
);

-- What admins may change while the service runs, each value from `at` on; without a row, the default of the code is in
-- force. Amounts are USDT with 18 decimals, `direct_rate` is in hundredths of a percent, `non_direct_opens` in
-- milliseconds since 1970. `set_by` is null for a value of the development installation.
create table money_setting (
  id bigint generated always as identity primary key,
  name text not null check (name in ('energy_fee', 'direct_rate', 'non_direct_opens', 'trx_price')),
  value numeric(78,0) not null check (value >= 0),
  set_by bytea check (octet_length(set_by) = 20),
  confirmed_by bytea check (octet_length(confirmed_by) = 20),
  at timestamptz not null,
  constraint money_setting_rate check (name <> 'direct_rate' or value <= 2500),
  constraint money_setting_two_admins check (confirmed_by is distinct from set_by or set_by is null)
);
create index money_setting_name on money_setting (name, id desc);

-- A value that awaits a second admin. At most one of each name.
create table money_setting_proposal (
  name text primary key check (name in ('energy_fee', 'direct_rate', 'non_direct_opens', 'trx_price')),
  value numeric(78,0) not null check (value >= 0),
  proposed_by bytea not null check (octet_length(proposed_by) = 20),
  at timestamptz not null
);

-- What the pair on chain was worth at a final block: USDT for one DCT, with 8 decimals. Kept for a week.
create table price_sample (
  block bigint primary key check (block >= 0),
  price numeric(78,0) not null check (price > 0),
  at timestamptz not null
);
create index price_sample_at on price_sample (at);
