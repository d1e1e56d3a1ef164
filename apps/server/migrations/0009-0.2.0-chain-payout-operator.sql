-- Referral payouts leave from a vault, whose address never changes; the key that pays from it is its operator.
alter table own_address drop constraint own_address_role_check,
  add constraint own_address_role_check check (role in ('operator', 'payout_wallet', 'payout_operator', 'fee_receiver'));
