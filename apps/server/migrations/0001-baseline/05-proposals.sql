-- What admins decide: values that are in force for everybody or for one user, and decisions that need two admins.

-- What one admin proposed and a second one has to agree to. `subject` is the user of a percentage and the referral claim
-- of an approval. `value` is in the unit of its kind: USDT with 8 decimals for the price of a DCT, with 18 for the energy
-- fee, the price of a TRX and the amount of a claim; hundredths of a percent for rates; milliseconds since 1970.
create table proposal (
  kind text not null check (kind in
    ('price', 'energy_fee', 'direct_rate', 'non_direct_opens', 'trx_price', 'referral_percentage', 'referral_claim')),
  subject bigint not null default 0,
  value numeric(78,0) not null check (value >= 0),
  proposed_by bigint not null references app_user,
  at timestamptz not null,
  primary key (kind, subject),
  constraint proposal_subject check ((subject > 0) = (kind in ('referral_percentage', 'referral_claim')))
);

-- Every value that was ever in force, each from `at` on; without a row, the default of the code is. Where two admins are
-- needed, the second is a different one. `set_by` is null for a price `from_pair`, taken from a pair on chain, and for a
-- value of the development installation.
create table setting_change (
  id bigint generated always as identity primary key,
  kind text not null check (kind in
    ('price', 'energy_fee', 'direct_rate', 'non_direct_opens', 'trx_price', 'referral_percentage')),
  user_id bigint references app_user,
  old_value numeric(78,0),
  value numeric(78,0) not null,
  set_by bigint references app_user,
  confirmed_by bigint references app_user,
  needs_two boolean not null default false,
  from_pair boolean not null default false,
  at timestamptz not null,
  constraint setting_change_range check (case kind
    when 'price' then value > 0
    when 'direct_rate' then value between 0 and 2500
    when 'referral_percentage' then value between 0 and 7500
    else value >= 0 end),
  constraint setting_change_user check (
    (user_id is not null) = (kind = 'referral_percentage') and (user_id is null or set_by is not null)),
  constraint setting_change_one_source check (not from_pair or (kind = 'price' and set_by is null)),
  constraint setting_change_two_admins check (case
    when confirmed_by is null then not needs_two
    else set_by is not null and set_by <> confirmed_by end)
);
create index setting_change_kind on setting_change (kind, id desc);
create index setting_change_at on setting_change (at, id);
create index setting_change_user on setting_change (user_id, id) where user_id is not null;

-- Refuses changes and deletions of rows.
create function setting_change_fixed() returns trigger language plpgsql as $$
begin
  raise exception '% is refused: rows of % are immutable', tg_op, tg_table_name
    using errcode = '23514', constraint = 'setting_change_fixed';
end $$;
create trigger fixed before update or delete on setting_change
  for each row execute function setting_change_fixed();

-- What waits for a second admin, for referrals and reports.
create view proposal_view as select kind, subject, value, proposed_by, at from proposal;
-- Values and who set them, for pricing and reports.
create view setting_change_view as
  select id, kind, user_id, value, set_by, confirmed_by, from_pair, at from setting_change;
