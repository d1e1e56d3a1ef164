-- On BSC the key that pays also publishes, once a day, what is owed to referrers.
alter table operator_call drop constraint operator_call_kind_check,
  add constraint operator_call_kind_check check (kind in ('openPlan', 'closePlan', 'release', 'publishOwed'));
-- The attempts of one nonce are variants, of which at most one is mined.
drop index one_live_call;
create unique index one_live_call on send_attempt (call_id) where state = 'pending' and nonce is null;
