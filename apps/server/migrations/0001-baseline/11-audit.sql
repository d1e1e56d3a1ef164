-- Comparisons of the ledger with itself, the contracts and the balances on chain.

-- An audit with the results of its checks.
create table audit_run (
  id bigint generated always as identity primary key,
  is_full boolean not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  compared bigint not null,
  differences integer not null,
  outcomes jsonb not null
);

-- The requested audit that has not started yet. At most one.
create table audit_request (
  single boolean primary key default true check (single),
  is_full boolean not null,
  asked_by bigint not null references app_user (id),
  asked_at timestamptz not null
);

-- The balance of each of our USDT addresses before its transfers were watched: the owner's, and part of the books.
create table wallet_opening (
  address bytea primary key check (octet_length(address) = 20),
  role text not null check (role in ('fee_receiver', 'payout_wallet')),
  amount numeric(78,0) not null check (amount >= 0),
  read_at_block bigint not null,
  booked_at timestamptz not null
);
