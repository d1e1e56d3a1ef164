-- Outgoing payments. Amounts to pay (`payout`) and other calls on chain (`operator_call`) are intents; every signed
-- transaction for one of them is a `send_attempt`, whose bytes are stored before anybody can send them. The keys below
-- guarantee that nobody is paid twice: a second attempt needs a stored proof that the first can never take effect.

-- An amount owed to a receiver. `cause` names what it is owed for and is paid once; `payout_key` is the id by which the
-- reward contract itself refuses a second payment. Payouts with `is_manual` are paid by an admin, never by the service.
create table payout (
  id bigint generated always as identity primary key,
  chain text not null check (chain in ('TRON', 'BSC')),
  asset text not null check (asset in ('DCT', 'USDT')),
  cause text not null constraint payout_cause_once unique,
  payout_key bytea not null constraint payout_key_once unique check (octet_length(payout_key) = 32),
  to_address bytea not null check (octet_length(to_address) = 20),
  amount numeric(78,0) not null check (amount > 0),
  plan_code text,
  is_manual boolean not null default false,
  state text not null default 'queued' check (state in ('queued', 'signed', 'final', 'held', 'void')),
  -- Final reverts since an admin last released it.
  failures integer not null default 0 check (failures >= 0),
  wait_reason text,
  wait_detail text,
  waiting_since timestamptz,
  -- In real time, like nodes and wallets.
  retry_at timestamptz,
  held_note text,
  created_at timestamptz not null,
  final_tx bytea check (octet_length(final_tx) = 32),
  final_block bigint,
  final_at timestamptz,
  check ((state = 'final') = (final_at is not null)),
  check (state <> 'held' or held_note is not null),
  check ((chain, asset) in (('TRON', 'DCT'), ('BSC', 'USDT'))),
  check ((plan_code is not null) = (asset = 'DCT')),
  check (state <> 'final' or final_tx is not null),
  constraint payout_manual check (not is_manual or (chain = 'BSC' and state <> 'signed'))
);
-- Unpaid payouts: their sums by chain and plan are index-only scans.
create index payout_open on payout (chain, id) include (plan_code, amount)
  where state in ('queued', 'signed', 'held');
create index payout_manual_open on payout (to_address, amount, id)
  where is_manual and state in ('queued', 'held');
create index payout_receiver on payout (to_address, plan_code);
create index payout_final_tx on payout (final_tx) where final_tx is not null;
-- The sort orders and searches of the admins' list. A receiver is an address of either chain.
create index payout_state on payout (state, created_at, id);
create index payout_by_time on payout (created_at, id);
create index payout_by_amount on payout (amount, id);
create index payout_cause_search on payout (cause text_pattern_ops);
create index payout_to_address_end on payout (tron_address_end(to_address) text_pattern_ops);
create index payout_to_address_hex_end on payout (hex_end(to_address) text_pattern_ops)
  where to_address is not null;
create index payout_final_tx_hex_end on payout (hex_end(final_tx) text_pattern_ops)
  where final_tx is not null;

-- A contract call that is not a payment: opening or closing a plan, releasing capital. It waits for a transaction like
-- a payout does, so the columns from `state` on are the same.
create table operator_call (
  id bigint generated always as identity primary key,
  cause text not null constraint operator_call_cause_once unique,
  kind text not null check (kind in ('openPlan', 'closePlan', 'release')),
  args jsonb not null,
  subject text not null,
  state text not null default 'queued' check (state in ('queued', 'signed', 'final', 'held', 'void')),
  failures integer not null default 0 check (failures >= 0),
  wait_reason text,
  wait_detail text,
  waiting_since timestamptz,
  retry_at timestamptz,
  held_note text,
  created_at timestamptz not null,
  final_tx bytea check (octet_length(final_tx) = 32),
  final_block bigint,
  final_at timestamptz,
  check ((state = 'final') = (final_at is not null)),
  check (state <> 'held' or held_note is not null)
);
create index operator_call_open on operator_call (subject, id) where state in ('queued', 'signed', 'held');

-- A signed transaction for a payout or a call. On BSC all attempts of one nonce are variants of one payment; on Tron
-- the next one is signed only when the previous one can no longer be included. `fee` is its cost in the chain's native
-- coin, null until it was read from the final chain.
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
create unique index one_live_call on send_attempt (call_id) where state = 'pending';
-- What was signed for on one day.
create index send_attempt_signed on send_attempt (chain, signed_at) include (payout_id, state)
  where payout_id is not null;
create index send_attempt_live on send_attempt (chain, id) where state = 'pending';
create index send_attempt_unread_fee on send_attempt (id) where fee is null and state <> 'pending';
create index send_attempt_costs on send_attempt (ended_at) include (chain, payout_id, state, fee)
  where fee is not null;

-- The state of each sending address: its next nonce, and why it sends nothing until an admin has checked it.
create table sender_state (
  chain text not null,
  sender bytea not null,
  next_nonce bigint,
  held_reason text,
  held_at timestamptz,
  primary key (chain, sender)
);

-- The payout that a nonce belongs to. A payout gets another nonce only when it is proven that nothing signed with this
-- one can pay it.
create table sender_nonce (
  chain text not null,
  sender bytea not null,
  nonce bigint not null,
  payout_id bigint references payout,
  end_proof jsonb,
  primary key (chain, sender, nonce)
);
create unique index one_nonce_of_payout on sender_nonce (payout_id) where end_proof is null;

-- Every final payment from one of our addresses, and the payout that it paid. A payment that paid none is booked with
-- an admin's explanation.
create table chain_payment (
  chain text not null check (chain in ('TRON', 'BSC')),
  tx_hash bytea not null,
  log_index integer not null,
  payout_key bytea,
  plan_code text,
  from_address bytea not null check (octet_length(from_address) = 20),
  to_address bytea not null,
  amount numeric(78,0) not null,
  block_number bigint not null,
  block_time timestamptz not null,
  payout_id bigint references payout,
  explanation text,
  primary key (chain, tx_hash, log_index)
);
create unique index one_payment_of_payout on chain_payment (payout_id);
create index chain_payment_key on chain_payment (payout_key) where payout_key is not null;
create index chain_payment_open on chain_payment (chain, to_address) where payout_id is null;

-- The scope of an unresolved difference in the books: nothing in it is paid until the difference is gone.
create table payout_halt (
  source text not null,
  kind text not null check (kind in ('plan', 'payout', 'chain')),
  scope text not null,
  reason text not null,
  since timestamptz not null,
  primary key (kind, scope, source)
);

-- The transaction that an admin submitted last for a manual payout, and why it is not the payment.
create table manual_payment (
  payout_id bigint primary key references payout,
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  named_by bigint not null references app_user,
  named_at timestamptz not null,
  checked_at timestamptz,
  problem text
);

-- Restricts the state of an intent to these transitions.
create function payout_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a payout is never deleted' using errcode = '23514', constraint = 'payout_fixed';
  end if;
  if old.state <> new.state and not (old.state || '>' || new.state = any (array[
    'queued>signed', 'queued>held', 'queued>void', 'queued>final',
    'signed>queued', 'signed>held', 'signed>final',
    'held>queued', 'held>signed', 'held>void', 'held>final'])) then
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
-- fee is added, once.
create function payout_keep() returns trigger language plpgsql as $$
begin
  raise exception '% is immutable', tg_table_name
    using errcode = '23514', constraint = 'payout_fixed';
end $$;
create trigger keep before update on payout for each row
  when ((old.chain, old.asset, old.cause, old.payout_key, old.to_address, old.amount, old.plan_code)
    is distinct from (new.chain, new.asset, new.cause, new.payout_key, new.to_address, new.amount, new.plan_code))
  execute function payout_keep();
create trigger keep before update on send_attempt for each row
  when ((old.tx_hash, old.raw, old.nonce, old.payout_id, old.call_id)
    is distinct from (new.tx_hash, new.raw, new.nonce, new.payout_id, new.call_id)
    or (old.state <> 'pending' and (old.fee is not null
      or (to_jsonb(old) - 'fee') is distinct from (to_jsonb(new) - 'fee'))))
  execute function payout_keep();
create trigger keep_rows before delete on send_attempt for each row execute function payout_keep();

-- Lets a payout become manual only while nothing signed for it can take effect, and never automatic again. Together
-- with the next function this guarantees that only one side ever pays, whenever the setting is switched.
create function payout_manual_guard() returns trigger language plpgsql as $$
begin
  if old.is_manual then
    raise exception 'payout % can only be paid manually', old.id
      using errcode = '23514', constraint = 'payout_manual';
  end if;
  if old.state <> 'queued' or exists (
      select from send_attempt where payout_id = old.id and state <> 'expired') then
    raise exception 'payout % is being sent', old.id
      using errcode = '23514', constraint = 'payout_manual';
  end if;
  return new;
end $$;
create trigger manual before update on payout for each row
  when (old.is_manual is distinct from new.is_manual) execute function payout_manual_guard();

-- Refuses to store a transaction for a manual payout. Reading it `for share` waits for a concurrent switch to manual.
create function send_attempt_not_manual() returns trigger language plpgsql as $$
declare
  v_is_manual boolean;
begin
  select is_manual into v_is_manual from payout where id = new.payout_id for share;
  if v_is_manual then
    raise exception 'payout % is paid manually', new.payout_id
      using errcode = '23514', constraint = 'payout_manual';
  end if;
  return new;
end $$;
create trigger not_manual before insert on send_attempt for each row
  when (new.payout_id is not null) execute function send_attempt_not_manual();

-- Payouts with their amounts and states, for audit and reports.
create view payout_view as
  select id, chain, asset, cause, plan_code, amount, state, final_tx, final_block, final_at from payout;
-- Payments on chain with the payouts they paid, for audit and reports.
create view chain_payment_view as select chain, tx_hash, log_index, amount, payout_id, explanation from chain_payment;

-- Marks of what the receiver of a payout sees of it.
create view payout_mark as
  select id as payout_id, hash_record_extended(row('payout'::text, id, state, is_manual, final_tx), 0) as mark from payout
  union all
  select payout_id, hash_record_extended(row('named'::text, payout_id, tx_hash, problem), 0) from manual_payment;
