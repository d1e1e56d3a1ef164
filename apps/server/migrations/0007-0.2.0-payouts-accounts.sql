-- Payments state totals: a chain counts per account what it ever paid, and so do the books.

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

drop trigger guard on payout;
drop trigger guard on operator_call;
drop trigger keep on payout;
drop index payout_open, payout_manual_open, operator_call_open;
alter table payout drop constraint payout_state_check, drop constraint payout_manual, drop constraint payout_check1,
  drop column payout_key, drop column held_note, alter state set default 'waiting';
alter table payout add account_id bigint not null references payout_account,
  add constraint payout_state_check check (state in ('waiting', 'sent', 'final', 'returned')),
  add constraint payout_manual check (not is_manual or (chain = 'BSC' and state <> 'sent'));
create index payout_open on payout (chain, id) include (plan_code, amount) where state in ('waiting', 'sent');
create index payout_account_open on payout (account_id, id) where state in ('waiting', 'sent');
create index payout_manual_open on payout (to_address, amount, id) where is_manual and state = 'waiting';

alter table operator_call drop constraint operator_call_state_check, drop constraint operator_call_check1,
  drop column held_note, alter state set default 'waiting';
alter table operator_call
  add constraint operator_call_state_check check (state in ('waiting', 'sent', 'final', 'returned'));
create index operator_call_open on operator_call (subject, id) where state in ('waiting', 'sent');

-- What a payment's transaction states: what was paid before it, and what it adds.
alter table send_attempt add paid_before numeric(78,0) check (paid_before >= 0),
  add amount numeric(78,0) check (amount > 0),
  add constraint send_attempt_states check ((paid_before is null) = (amount is null));

-- A payment's account, and the total that its event stated.
alter table chain_payment drop column payout_key;
alter table chain_payment add account_id bigint references payout_account, add total numeric(78,0);
create index chain_payment_account on chain_payment (account_id, block_number) where account_id is not null;

alter table payout_halt drop constraint payout_halt_kind_check,
  add constraint payout_halt_kind_check check (kind in ('plan', 'payout', 'account', 'chain'));

-- Restricts the state of an intent to these transitions.
create or replace function payout_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a payout is never deleted' using errcode = '23514', constraint = 'payout_fixed';
  end if;
  if old.state <> new.state and not (old.state || '>' || new.state = any (array[
    'waiting>sent', 'waiting>returned', 'waiting>final', 'sent>waiting', 'sent>final'])) then
    raise exception '% % cannot go from % to %', tg_table_name, old.id, old.state, new.state
      using errcode = '23514', constraint = 'payout_moves';
  end if;
  return new;
end $$;
create trigger guard before update or delete on payout
  for each row execute function payout_guard();
create trigger guard before update or delete on operator_call
  for each row execute function payout_guard();
create trigger keep before update on payout for each row
  when ((old.chain, old.asset, old.cause, old.account_id, old.to_address, old.amount, old.plan_code)
    is distinct from (new.chain, new.asset, new.cause, new.account_id, new.to_address, new.amount, new.plan_code))
  execute function payout_keep();

-- Lets a payout become manual only while nothing signed for it can take effect, and never automatic again. Together
-- with `send_attempt_not_manual` this guarantees that only one side ever pays, whenever the setting is switched.
create or replace function payout_manual_guard() returns trigger language plpgsql as $$
begin
  if old.is_manual then
    raise exception 'payout % can only be paid manually', old.id
      using errcode = '23514', constraint = 'payout_manual';
  end if;
  if old.state <> 'waiting' or exists (
      select from send_attempt where payout_id = old.id and state <> 'expired') then
    raise exception 'payout % is being sent', old.id
      using errcode = '23514', constraint = 'payout_manual';
  end if;
  return new;
end $$;

-- Payouts with their amounts and states, for audit and reports.
create or replace view payout_view as
  select id, chain, asset, cause, plan_code, amount, state, final_tx, final_block, final_at, account_id from payout;
-- Payments on chain with the accounts and payouts they paid, for audit and reports.
create or replace view chain_payment_view as
  select chain, tx_hash, log_index, amount, payout_id, explanation, account_id, total, block_number from chain_payment;
-- What the chains paid to each account, and what it was for, for audit and reports.
create view payout_account_view as select id, chain, holder, name, paid, unread, settled, open from payout_account;
