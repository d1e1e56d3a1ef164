-- What the service has, owes and spends, as the worker reads and records it.

-- The balance of one of our contracts or wallets when a node last answered; `failed_at` is set while none does. Times
-- are real.
create table funds_reading (
  name text primary key,
  amount numeric(78,0) check (amount >= 0),
  read_at timestamptz,
  failed_at timestamptz,
  check ((amount is null) = (read_at is null)),
  check (read_at is not null or failed_at is not null)
);

-- The funds and debts at the start of a business day; null where unknown.
create table money_day (
  day date not null,
  figure text not null,
  plan_code text not null default '',
  amount numeric(78,0),
  primary key (day, figure, plan_code)
);
