-- A claim that the vault had paid before these books knew of it, as after a restore: nobody approved it here, and its
-- signed text is lost.
alter table referral_claim drop constraint referral_claim_check1, drop constraint referral_claim_check2,
  add constraint referral_claim_when_approved check ((approved_at is not null) = (state in ('approved', 'paid', 'returned'))),
  add constraint referral_claim_with_payout check (num_nonnulls(approved_at, payout_id) in (0, 2)),
  add constraint referral_claim_without_approver check (
    (approved_by is not null) = (approved_at is not null)
    or (approved_by is null and state = 'paid' and signature is null));
