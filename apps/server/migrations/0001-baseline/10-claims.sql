-- Claims, their USDT fees, and the payments received.

-- All credited cycles of an earning, turned into a payout. HALF pays one half immediately (`now_amount`) and the rest
-- after the fee; FULL pays everything after the fee. The fee is paid by exactly `exact_amount`, which no other open fee
-- has. `previous_through` is the last cycle claimed before, to restore when the claim is cancelled. Payments up to
-- `not_before_block` are not for this claim.
create table claim (
  id bigint generated always as identity primary key,
  code_claim text not null constraint claim_code_once unique,
  earning_id bigint not null references earning (id),
  stake_id numeric(78,0) not null,
  staker bytea not null check (length(staker) = 20),
  user_id bigint not null references app_user (id),
  plan_code text not null,
  kind text not null check (kind in ('FULL', 'HALF')),
  first_cycle integer not null,
  last_cycle integer not null check (last_cycle >= first_cycle),
  previous_through integer not null,
  amount numeric(78,0) not null check (amount > 0),
  now_amount numeric(78,0) not null check (now_amount >= 0),
  later_amount numeric(78,0) not null check (later_amount > 0),
  price numeric(78,0) not null check (price > 0),
  unpaid_fee numeric(78,0) not null check (unpaid_fee >= 0),
  fee_usdt numeric(78,0) not null check (fee_usdt >= 0),
  energy_fee numeric(78,0) not null check (energy_fee >= 0),
  exact_amount numeric(78,0) not null check (exact_amount > 0),
  -- The exact amount while it can still be paid, for display and sorting.
  unpaid_usdt numeric(78,0) not null
    generated always as (case when state = 'awaiting_fee' then exact_amount else 0 end) stored,
  receiver bytea not null check (length(receiver) = 20),
  not_before_block bigint not null,
  state text not null default 'awaiting_fee'
    check (state in ('awaiting_fee', 'paid', 'cancelled', 'lapsed')),
  requested_at timestamptz not null,
  fee_until timestamptz not null,
  paid_at timestamptz,
  deadline timestamptz,
  closed_at timestamptz,
  fee_tx bytea check (length(fee_tx) = 32),
  fee_log_index integer,
  now_tx bytea check (length(now_tx) = 32),
  later_tx bytea check (length(later_tx) = 32),
  constraint claim_parts_make_the_whole check (now_amount + later_amount = amount),
  constraint claim_half_splits check (
    (kind = 'FULL' and now_amount = 0) or (kind = 'HALF' and now_amount = div(amount, 2))),
  constraint claim_paid_by_a_log check ((state = 'paid') = (fee_tx is not null and paid_at is not null)),
  constraint claim_fee_once unique (fee_tx, fee_log_index)
);
create unique index claim_one_open_fee on claim (earning_id) where state = 'awaiting_fee';
create unique index claim_cycles_once on claim (earning_id, first_cycle) where state <> 'cancelled';
create index claim_open_amount on claim (receiver, exact_amount) where state = 'awaiting_fee';
-- Amounts waiting for their fee are summed by plan with an index-only scan.
create index claim_fee_until on claim (fee_until) include (plan_code, later_amount)
  where state = 'awaiting_fee';
create index claim_of_user on claim (user_id, requested_at desc, id desc);
create index claim_now_tx_idx on claim (now_tx) where now_tx is not null;
create index claim_later_tx_idx on claim (later_tx) where later_tx is not null;
-- Fees by payment time: the income of a day or month.
create index claim_paid_at on claim (paid_at) include (energy_fee) where state = 'paid';
-- The sort orders and searches of the admins' list. Claims of a date range are counted by state from `claim_newest`
-- alone.
create index claim_newest on claim (requested_at desc, id desc) include (state);
create index claim_amount_id_idx on claim (amount, id);
create index claim_unpaid_usdt_id_idx on claim (unpaid_usdt, id);
create index claim_plan_code_id_idx on claim (plan_code, id);
create index claim_staker_id_idx on claim (staker, id);
create index claim_kind_id_idx on claim (kind, id);
create index claim_state_id_idx on claim (state, id);
-- By the transaction shown in the list: the later one, or the first half's until there is one.
create index claim_by_transaction on claim ((coalesce(later_tx, now_tx)), id);
create index claim_staker_end on claim (tron_address_end(staker) text_pattern_ops);
create index claim_fee_tx_hex_end on claim (hex_end(fee_tx) text_pattern_ops);
create index claim_now_tx_hex_end on claim (hex_end(now_tx) text_pattern_ops);
create index claim_later_tx_hex_end on claim (hex_end(later_tx) text_pattern_ops);

-- Exact amounts that no other fee may have: those of open fees and of recently closed ones.
create table amount_hold (
  receiver bytea not null check (length(receiver) = 20),
  exact_amount numeric(78,0) not null,
  claim_id bigint not null constraint amount_hold_of_claim_once unique references claim (id),
  constraint amount_held_once primary key (receiver, exact_amount)
);

-- Every final USDT transfer to a fee receiver. One that settled nothing names the claim that it was probably meant for;
-- one that was refunded names the transfer that returned it, and one transfer returns one payment. Dust is booked and
-- asks nobody.
create table usdt_receipt (
  tx_hash bytea not null check (length(tx_hash) = 32),
  log_index integer not null,
  from_address bytea not null check (length(from_address) = 20),
  to_address bytea not null check (length(to_address) = 20),
  amount numeric(78,0) not null check (amount > 0),
  block_number bigint not null,
  block_time timestamptz not null,
  state text not null check (state in ('settled', 'unmatched', 'refunded', 'internal', 'dust')),
  claim_id bigint constraint usdt_receipt_claim_once unique references claim (id),
  nearest_claim_id bigint references claim (id),
  note text,
  handled_by bigint references app_user (id),
  handled_at timestamptz,
  return_tx bytea check (length(return_tx) = 32),
  return_log_index integer,
  primary key (tx_hash, log_index),
  constraint usdt_receipt_returned_once unique (return_tx, return_log_index),
  constraint usdt_receipt_is_returned check (
    (return_tx is null) = (return_log_index is null) and (return_tx is null or state = 'refunded')),
  constraint usdt_receipt_settles_a_claim check ((state = 'settled') = (claim_id is not null))
);
create index usdt_receipt_nearest on usdt_receipt (nearest_claim_id, block_number desc)
  where state = 'unmatched';
create index usdt_receipt_meant on usdt_receipt (nearest_claim_id) where nearest_claim_id is not null;
-- The admins' list, without payments that settled their fee automatically.
create index usdt_receipt_odd_by_block_time on usdt_receipt (state, block_time, tx_hash, log_index)
  where state <> 'settled' or handled_by is not null;
create index usdt_receipt_odd_by_amount on usdt_receipt (state, amount, tx_hash, log_index)
  where state <> 'settled' or handled_by is not null;
create index usdt_receipt_sender on usdt_receipt (from_address);
create index usdt_receipt_tx_hash_hex_end on usdt_receipt (hex_end(tx_hash) text_pattern_ops);
create index usdt_receipt_from_address_hex_end on usdt_receipt (hex_end(from_address) text_pattern_ops);

-- The transaction that a holder submitted last as the payment of a fee. It proves nothing: it only says where to look,
-- and `problem` is what was found there instead of a payment (an error code, with its message).
create table fee_hint (
  claim_id bigint primary key references claim (id),
  tx_hash bytea not null check (length(tx_hash) = 32),
  submitted_at timestamptz not null,
  problem text,
  message text,
  checked_at timestamptz,
  check ((problem is null) = (message is null))
);
create index fee_hint_of_transaction on fee_hint (tx_hash);
create index fee_hint_open on fee_hint (checked_at nulls first) where problem is null;

-- Claims with their amounts and states, for audit and reports.
create view claim_view as
  select id, code_claim, earning_id, staker, plan_code, kind, first_cycle, last_cycle, amount, later_amount,
    exact_amount, state, requested_at, paid_at, closed_at, fee_tx
  from claim;
-- USDT that arrived, for audit and reports.
create view usdt_receipt_view as
  select tx_hash, log_index, from_address, amount, block_number, block_time, state, nearest_claim_id, handled_at
  from usdt_receipt;

-- Marks of a holder's claims, and of the payments that were named or meant for them.
create view claim_mark as
  select staker, hash_record_extended(row('claim'::text, id, xmin), 0)
    # coalesce((select bit_xor(hash_record_extended(row('hint'::text, h.claim_id, h.tx_hash, h.problem, h.message), 0))
      from fee_hint h where h.claim_id = c.id), 0)
    # coalesce((select bit_xor(hash_record_extended(row('receipt'::text, r.tx_hash, r.log_index, r.state), 0))
      from usdt_receipt r where r.nearest_claim_id = c.id), 0) as mark
  from claim c;
