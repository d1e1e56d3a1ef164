-- What wallets were asked to pay or to lock.

-- Each asking of a wallet to pay or to lock, written before the wallet is asked and kept until it is certainly over, so
-- that no other page or device asks for the same thing unawares. `scope` is the user whose step it is, or 0 for steps
-- that all admins share.
create table money_step (
  attempt text primary key check (length(attempt) = 32),
  scope bigint not null,
  step text not null check (length(step) between 1 and 100),
  user_id bigint not null references app_user,
  asked_at timestamptz not null,
  -- The page that asked renews it while it waits for the wallet; null once it has given up or has the answer.
  waits_until timestamptz,
  tx_hash text check (length(tx_hash) between 1 and 66),
  ended_at timestamptz
);
create index money_step_open on money_step (scope, step) where ended_at is null;
create index money_step_user on money_step (user_id, asked_at);

-- Without the lease, which changes every few seconds without being a change.
create view money_step_mark as
  select user_id, hash_record_extended(row('step'::text, attempt, waits_until is null, tx_hash, ended_at), 0) as mark
  from money_step where ended_at is null;
