-- What the vault on BSC needs to pay a claim: the most that may ever be paid for its user and kind, this claim included,
-- and the text that the user signed, without the statement in its middle, which the vault rebuilds. Claims that an
-- earlier version saved have none of it.
alter table referral_claim
  add column total numeric(78,0) check (total >= amount),
  add column opening text,
  add column closing text,
  add column signature bytea check (octet_length(signature) = 65),
  add constraint referral_claim_signed check (num_nonnulls(total, opening, closing, signature) in (0, 4));
create trigger fixed_text before update on referral_claim for each row
  when ((old.total, old.opening, old.closing, old.signature)
    is distinct from (new.total, new.opening, new.closing, new.signature))
  execute function referral_fixed();
