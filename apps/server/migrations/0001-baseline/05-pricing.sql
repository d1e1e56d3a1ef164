-- The price of DCT as a pair on chain shows it.

-- What the pair on chain was worth at a final block: USDT for one DCT, with 8 decimals. Kept for a week.
create table price_sample (
  block bigint primary key check (block >= 0),
  price numeric(78,0) not null check (price > 0),
  at timestamptz not null
);
create index price_sample_at on price_sample (at);
