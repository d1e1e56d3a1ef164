-- Plans, their remaining quotas, and the funds that pay their rewards.

-- A plan with its terms. Rewards and limits are in DCT base units. `chain_revision` counts the calls that open or close
-- the plan on chain, so that only the last one decides `chain_state`. Plans of the installation itself have no funding
-- transaction.
create table earning_plan (
  id bigint generated always as identity primary key,
  code text not null constraint earning_plan_code unique check (code ~ '^[A-Z0-9-]{1,32}$'),
  name text not null check (char_length(name) between 1 and 100),
  total_reward numeric(78,0) not null check (total_reward > 0),
  duration_days integer not null check (duration_days between 1 and 36500),
  -- At most what the contract allows: 36,500 days at the highest limit of its owner, 10,000 basis points a day.
  rate_bps integer not null check (rate_bps between 1 and 365000000),
  daily_limit numeric(78,0) not null check (daily_limit > 0),
  is_active boolean not null,
  accumulating_since date,
  created_at timestamptz not null,
  funded_tx bytea constraint earning_plan_funded_tx unique check (octet_length(funded_tx) = 32),
  chain_state text not null check (chain_state in ('opening', 'open', 'closing', 'closed')),
  chain_revision integer not null default 0
);
create index earning_plan_created on earning_plan (created_at, id);

-- Makes the terms that holders join under immutable. The contract fixes them on chain as well.
create function earning_plan_keeps() returns trigger language plpgsql as $$
begin
  if (new.id, new.code, new.total_reward, new.duration_days, new.rate_bps, new.funded_tx)
    is distinct from
     (old.id, old.code, old.total_reward, old.duration_days, old.rate_bps, old.funded_tx)
  then
    raise exception 'the terms of a plan never change' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger earning_plan_keeps before update on earning_plan
  for each row execute function earning_plan_keeps();

-- How much of a plan's total reward is promised to stakes, and reserved for joins in progress. Any change of the plan's
-- quotas locks this row first.
create table plan_total (
  plan_id bigint primary key references earning_plan,
  promised numeric(78,0) not null default 0 check (promised >= 0),
  reserved numeric(78,0) not null default 0 check (reserved >= 0)
);

-- The same per business day, with that day's limit and the amount carried over from earlier days.
create table plan_day (
  plan_id bigint not null references earning_plan,
  day date not null,
  limit_base numeric(78,0) not null check (limit_base > 0),
  carry numeric(78,0) not null check (carry >= 0),
  promised numeric(78,0) not null default 0 check (promised >= 0),
  reserved numeric(78,0) not null default 0 check (reserved >= 0),
  primary key (plan_id, day)
);

-- A reservation in a plan while its holder locks the amount on chain. An address has at most one live reservation.
-- `used`: by a stake. `replaced`: its holder reserved elsewhere. `lapsed`: it expired. `unbacked`: the address no longer
-- held the amount. `held` is the balance of the address at the final block `held_block`; transfers are counted from there.
-- At `seen_block` this and all other live reservations were backed by their addresses.
create table reservation (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  address bytea not null check (octet_length(address) = 20),
  plan_id bigint not null references earning_plan,
  amount numeric(78,0) not null check (amount > 0),
  reward numeric(78,0) not null check (reward >= 0),
  day date not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  held numeric(78,0) not null check (held >= 0),
  held_block bigint not null,
  seen_block bigint not null,
  state text not null check (state in ('live', 'used', 'replaced', 'lapsed', 'unbacked'))
);
create unique index reservation_one_live on reservation (address) where state = 'live';
create index reservation_live_of on reservation (user_id) where state = 'live';
create index reservation_due on reservation (expires_at) where state = 'live';
create index reservation_lapsed on reservation (user_id, expires_at) where state = 'lapsed';

-- The free funds of a plan code in the reward contract, by the booked final events. A code may be funded on chain
-- before its plan exists here, so there is no foreign key.
create table plan_pool (
  plan_code text primary key,
  free numeric(78,0) not null
);

-- Deposits into the reward contract for a plan.
create table plan_funding (
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  log_index integer not null,
  plan_code text not null,
  from_address bytea not null check (octet_length(from_address) = 20),
  amount numeric(78,0) not null check (amount > 0),
  funded_at timestamptz not null,
  primary key (tx_hash, log_index)
);

-- The codes of plans, for audit and sums by plan.
create view earning_plan_view as select id, code from earning_plan;
