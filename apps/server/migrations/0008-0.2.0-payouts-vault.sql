-- Referral payouts leave from a vault: nobody pays by hand, and a nonce is only a means.
-- Marks of what the receiver of a payout sees of it.
create or replace view payout_mark as
  select id as payout_id, hash_record_extended(row('payout'::text, id, state, final_tx), 0) as mark from payout;

drop trigger manual on payout;
drop trigger not_manual on send_attempt;
drop function payout_manual_guard(), send_attempt_not_manual();
drop table manual_payment, sender_nonce, sender_state;
drop index payout_manual_open;
alter table payout drop constraint payout_manual, drop column is_manual;
drop index one_payment_of_payout, chain_payment_open, chain_payment_account;
drop view chain_payment_view;
alter table chain_payment drop column payout_id, drop column explanation,
  alter account_id set not null, alter total set not null, add check (total >= amount);
create index chain_payment_account on chain_payment (account_id, block_number);
-- Payments on chain with the accounts that they paid, for audit and reports.
create view chain_payment_view as
  select chain, tx_hash, log_index, amount, account_id, total, block_number from chain_payment;
