-- Outgoing payments. Amounts to pay (`payout`) and other calls on chain (`operator_call`) are intents; every signed
-- transaction for one of them is a `send_attempt`, whose bytes are stored before anybody can send them. A payment states
-- totals: a chain counts per account what it ever paid, and so do the books.

-- An account that a chain counts payments for: on Tron a stake (`holder` is the staker, `name` the plan's code), on BSC a
-- referrer (the 20 bytes of the Tron address) and the kind of bonus. `paid` is the highest total that the chain's events
-- stated, `unread` the part of it whose own events have not been read, `settled` the sum of the final payouts, `open` the
-- sum of those that are neither final nor returned. What was paid beyond `settled` is the account's advance.
create table payout_account (
  id bigint generated always as identity primary key,
  chain text not null check (chain in ('TRON', 'BSC')),
  holder bytea not null check (octet_length(holder) = 20),
  name text not null,
  paid numeric(78,0) not null default 0,
  unread numeric(78,0) not null default 0 check (unread >= 0),
  settled numeric(78,0) not null default 0 check (settled >= 0),
  open numeric(78,0) not null default 0 check (open >= 0),
  -- In real time, like nodes and wallets.
  tried_at timestamptz,
  constraint payout_account_once unique (holder, chain, name),
  constraint payout_account_name check (chain = 'TRON' or name in ('direct', 'indirect')),
  constraint payout_account_covered check (settled <= paid)
);
-- What senders look at, least recently tried first.
create index payout_account_due on payout_account (chain, tried_at nulls first, id) where open > 0;
-- Advances that can be charged as soon as the holder is owed something.
create index payout_account_ahead on payout_account (chain, tried_at nulls first, id) where open = 0 and paid > settled;

-- An amount owed to a receiver. `cause` names what it is owed for and is paid once.
create table payout (
  id bigint generated always as identity primary key,
  chain text not null check (chain in ('TRON', 'BSC')),
  asset text not null check (asset in ('DCT', 'USDT')),
  cause text not null constraint payout_cause_once unique,
  account_id bigint not null references payout_account,
  to_address bytea not null check (octet_length(to_address) = 20),
  amount numeric(78,0) not null check (amount > 0),
  plan_code text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'final', 'returned')),
  -- Final reverts since an admin last released it.
  failures integer not null default 0 check (failures >= 0),
  wait_reason text,
  wait_detail text,
  waiting_since timestamptz,
  -- In real time, like nodes and wallets.
  retry_at timestamptz,
  created_at timestamptz not null,
  final_tx bytea check (octet_length(final_tx) = 32),
  final_block bigint,
  final_at timestamptz,
  check ((state = 'final') = (final_at is not null)),
  check ((chain, asset) in (('TRON', 'DCT'), ('BSC', 'USDT'))),
  check ((plan_code is not null) = (asset = 'DCT')),
  check (state <> 'final' or final_tx is not null)
);
-- Unpaid payouts: their sums by chain and plan are index-only scans.
create index payout_open on payout (chain, id) include (plan_code, amount) where state in ('waiting', 'sent');
create index payout_account_open on payout (account_id, id) where state in ('waiting', 'sent');
create index payout_receiver on payout (to_address, plan_code);
create index payout_final_tx on payout (final_tx) where final_tx is not null;
-- The sort orders and searches of the admins' list. A receiver is an address of either chain.
create index payout_state on payout (state, created_at, id);
create index payout_by_time on payout (created_at, id);
create index payout_by_amount on payout (amount, id);
create index payout_cause_search on payout (cause text_pattern_ops);
create index payout_to_address_end on payout (tron_address_end(to_address) text_pattern_ops);
create index payout_to_address_hex_end on payout (hex_end(to_address) text_pattern_ops);
create index payout_final_tx_hex_end on payout (hex_end(final_tx) text_pattern_ops);

-- A contract call that is not a payment: opening or closing a plan, releasing capital, publishing what is owed. It waits for a
-- transaction like a payout does, so the columns from `state` on are the same.
create table operator_call (
  id bigint generated always as identity primary key,
  cause text not null constraint operator_call_cause_once unique,
  kind text not null check (kind in ('openPlan', 'closePlan', 'release', 'publishOwed')),
  args jsonb not null,
  subject text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'final', 'returned')),
  failures integer not null default 0 check (failures >= 0),
  wait_reason text,
  wait_detail text,
  waiting_since timestamptz,
  retry_at timestamptz,
  created_at timestamptz not null,
  final_tx bytea check (octet_length(final_tx) = 32),
  final_block bigint,
  final_at timestamptz,
  check ((state = 'final') = (final_at is not null))
);
create index operator_call_open on operator_call (subject, id) where state in ('waiting', 'sent');

-- A signed transaction for a payout or a call. On BSC all attempts of one nonce are variants of one payment; on Tron
-- the next one is signed only when the previous one can no longer be included. A payment's transaction states what was
-- paid before it (`paid_before`) and what it adds. `fee` is its cost in the chain's native coin, null until it was read
-- from the final chain.
create table send_attempt (
  id bigint generated always as identity primary key,
  chain text not null check (chain in ('TRON', 'BSC')),
  sender bytea not null check (octet_length(sender) = 20),
  payout_id bigint references payout,
  call_id bigint references operator_call,
  attempt integer not null check (attempt > 0),
  tx_hash bytea not null constraint send_attempt_hash_once unique check (octet_length(tx_hash) = 32),
  raw bytea not null,
  nonce bigint,
  gas_price numeric(78,0),
  expires_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'expired', 'confirmed')),
  proof jsonb,
  signed_at timestamptz not null,
  ended_at timestamptz,
  fee numeric(78,0) check (fee >= 0),
  paid_before numeric(78,0) check (paid_before >= 0),
  amount numeric(78,0) check (amount > 0),
  constraint send_attempt_states check ((paid_before is null) = (amount is null)),
  check (num_nonnulls(payout_id, call_id) = 1),
  check ((chain = 'BSC') = (nonce is not null) and (chain = 'BSC') = (gas_price is not null)),
  check ((chain = 'TRON') = (expires_at is not null)),
  check (state <> 'expired' or proof is not null),
  check ((state = 'pending') = (ended_at is null)),
  unique (payout_id, attempt),
  unique (call_id, attempt)
);
create unique index one_winning_payment on send_attempt (payout_id) where state = 'confirmed';
create unique index one_winning_call on send_attempt (call_id) where state = 'confirmed';
create unique index one_live_payment on send_attempt (payout_id) where state = 'pending' and nonce is null;
create unique index one_live_call on send_attempt (call_id) where state = 'pending' and nonce is null;
-- What was signed for on one day.
create index send_attempt_signed on send_attempt (chain, signed_at) include (payout_id, state)
  where payout_id is not null;
create index send_attempt_live on send_attempt (chain, id) where state = 'pending';
create index send_attempt_unread_fee on send_attempt (id) where fee is null and state <> 'pending';
create index send_attempt_costs on send_attempt (ended_at) include (chain, payout_id, state, fee)
  where fee is not null;

-- Every final payment, with its account and the total that its event stated.
create table chain_payment (
  chain text not null check (chain in ('TRON', 'BSC')),
  tx_hash bytea not null,
  log_index integer not null,
  plan_code text,
  from_address bytea not null check (octet_length(from_address) = 20),
  to_address bytea not null,
  amount numeric(78,0) not null,
  block_number bigint not null,
  block_time timestamptz not null,
  account_id bigint not null references payout_account,
  total numeric(78,0) not null,
  primary key (chain, tx_hash, log_index),
  check (total >= amount)
);
create index chain_payment_account on chain_payment (account_id, block_number);

-- The scope of an unresolved difference in the books: nothing in it is paid until the difference is gone.
create table payout_halt (
  source text not null,
  kind text not null check (kind in ('plan', 'payout', 'account', 'chain')),
  scope text not null,
  reason text not null,
  since timestamptz not null,
  primary key (kind, scope, source)
);

-- Restricts the state of an intent to these transitions. A final one is open again only if its blocks were undone.
create function payout_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a payout is never deleted' using errcode = '23514', constraint = 'payout_fixed';
  end if;
  if old.state <> new.state and not (old.state || '>' || new.state = any (array[
    'waiting>sent', 'waiting>returned', 'waiting>final', 'sent>waiting', 'sent>final', 'final>sent',
    'final>waiting'])) then
    raise exception '% % cannot go from % to %', tg_table_name, old.id, old.state, new.state
      using errcode = '23514', constraint = 'payout_moves';
  end if;
  return new;
end $$;
create trigger guard before update or delete on payout
  for each row execute function payout_guard();
create trigger guard before update or delete on operator_call
  for each row execute function payout_guard();

-- Refuses the changes that its triggers name: terms and signed bytes are immutable. For an attempt that ended only the
-- fee is added, once; one that succeeded in blocks that were undone is undecided again.
create function payout_keep() returns trigger language plpgsql as $$
begin
  raise exception '% is immutable', tg_table_name
    using errcode = '23514', constraint = 'payout_fixed';
end $$;
create trigger keep before update on payout for each row
  when ((old.chain, old.asset, old.cause, old.account_id, old.to_address, old.amount, old.plan_code)
    is distinct from (new.chain, new.asset, new.cause, new.account_id, new.to_address, new.amount, new.plan_code))
  execute function payout_keep();
create trigger keep before update on send_attempt for each row
  when ((old.tx_hash, old.raw, old.nonce, old.payout_id, old.call_id)
    is distinct from (new.tx_hash, new.raw, new.nonce, new.payout_id, new.call_id)
    or (old.state <> 'pending' and (old.state <> 'confirmed' or new.state <> 'pending')
      and (old.fee is not null or (to_jsonb(old) - 'fee') is distinct from (to_jsonb(new) - 'fee'))))
  execute function payout_keep();
create trigger keep_rows before delete on send_attempt for each row execute function payout_keep();

-- Payouts with their amounts and states, for audit and reports.
create view payout_view as
  select id, chain, asset, cause, plan_code, amount, state, final_tx, final_block, final_at, account_id from payout;
-- Payments on chain with the accounts that they paid, for audit and reports.
create view chain_payment_view as
  select chain, tx_hash, log_index, amount, account_id, total, block_number from chain_payment;
-- What the chains paid to each account, and what it was for, for audit and reports.
create view payout_account_view as select id, chain, holder, name, paid, unread, settled, open from payout_account;

-- Marks of what the receiver of a payout sees of it.
create view payout_mark as
  select id as payout_id, hash_record_extended(row('payout'::text, id, state, final_tx), 0) as mark from payout;
