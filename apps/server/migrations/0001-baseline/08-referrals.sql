-- The referral tree and the rewards earned in it. The tree follows `app_user` by triggers, so that no registration,
-- removal or percentage can bypass it.
--
-- The functions below cache their plans while the tables grow. A plan made for a handful of users would later scan all
-- of them, so sequential scans are disabled (`enable_seqscan = off`).

-- The place of a user in the tree. `jump_id` is an ancestor some way up (skew-binary: any ancestor is reached in O(log
-- depth) steps). `zone_id` is the nearest ancestor whose depth is a multiple of 64; users with a percentage are indexed
-- by zone, so that a walk up the line skips zones without them in one step.
create table referral_node (
  user_id bigint primary key references app_user,
  referrer_id bigint,
  depth integer not null,
  jump_id bigint not null,
  jump_depth integer not null,
  zone_id bigint,
  rate_bps integer not null check (rate_bps between 0 and 7500),
  is_removed boolean not null default false,
  check (referrer_id < user_id),
  check ((depth = 0) = (referrer_id is null) and (depth = 0) = (zone_id is null)),
  check (depth >= 0 and jump_depth between 0 and depth)
) with (fillfactor = 90);
create index referral_node_children on referral_node (referrer_id, user_id) where not is_removed;
create index referral_node_rated on referral_node (zone_id, rate_bps) where rate_bps > 0;
-- Removed users are read before each page of a large downline.
create index referral_node_removed on referral_node (user_id) where is_removed;
-- Statistics from one very wide tree would make the planner assume thousands of referrals per user.
alter table referral_node alter column referrer_id set (n_distinct = -0.5);

-- Makes places immutable: the places of the whole downline, and the rewards earned there, depend on them.
create function referral_node_keeps() returns trigger language plpgsql as $$
begin
  raise exception 'a place in the referral tree never changes'
    using errcode = '23514', constraint = 'referral_node_fixed';
end $$;
create trigger keep before update on referral_node for each row
  when ((old.user_id, old.referrer_id, old.depth, old.jump_id, old.jump_depth, old.zone_id)
    is distinct from (new.user_id, new.referrer_id, new.depth, new.jump_id, new.jump_depth, new.zone_id))
  execute function referral_node_keeps();
create trigger keep_rows before delete on referral_node
  for each row execute function referral_node_keeps();

-- Whether the first user is below the second, whose depth is given. The high cost makes the planner walk an index and
-- call it for as few users as possible.
create function referral_is_under(p_user bigint, p_above bigint, p_depth integer) returns boolean
language plpgsql stable strict cost 1000 set enable_seqscan = off as $$
declare
  v_id bigint := p_user;
  v_node referral_node;
begin
  if p_user <= p_above then return false; end if;
  loop
    select * into v_node from referral_node where user_id = v_id;
    if not found or v_node.depth <= p_depth then return v_id = p_above; end if;
    v_id := case when v_node.jump_depth >= p_depth then v_node.jump_id else v_node.referrer_id end;
  end loop;
end $$;

-- The users above a user whose percentage is higher than everyone's below them, nearest first. The walk ends at the
-- first one with the highest percentage there is. `referralShares` in @dct/rules has the same rule; tree.test.ts compares
-- the two.
create function referral_line(p_payer bigint, p_highest_bps bigint)
  returns table (user_id bigint, level integer, rate_bps integer)
language plpgsql stable strict rows 10 set enable_seqscan = off as $$
declare
  v_depth integer;
  v_at bigint;
  v_node referral_node;
  v_highest integer := 0;
  v_zone bigint;
  v_zone_highest integer;
begin
  select n.depth, n.referrer_id into v_depth, v_at from referral_node n where n.user_id = p_payer;
  while v_at is not null and v_highest < p_highest_bps loop
    select * into v_node from referral_node n where n.user_id = v_at;
    v_zone := v_node.zone_id;
    select max(n.rate_bps) into v_zone_highest from referral_node n
      where n.zone_id = v_zone and n.rate_bps > 0;
    if v_zone is null then v_zone_highest := v_node.rate_bps; end if;
    while v_at is distinct from v_zone and v_zone_highest > v_highest loop
      if v_node.rate_bps > v_highest then
        v_highest := v_node.rate_bps;
        user_id := v_at; level := v_depth - v_node.depth; rate_bps := v_highest;
        return next;
      end if;
      v_at := v_node.referrer_id;
      select * into v_node from referral_node n where n.user_id = v_at;
    end loop;
    v_at := v_zone;
  end loop;
end $$;

-- The whole downline of a user, for small downlines. Pages of large ones are computed in the memory of the process that
-- serves them.
create function referral_downline(p_user bigint)
  returns table (id bigint, depth integer, address bytea, referral_code text)
language sql stable strict rows 1000 set enable_seqscan = off as $$
  with recursive line as (
    select c.id, c.depth, c.address, c.referral_code from app_user_view c
      where c.referrer_id = p_user and c.deleted_at is null
    union all
    select n.* from line cross join lateral (
      select c.id, c.depth, c.address, c.referral_code from app_user_view c
      where c.referrer_id = line.id and c.deleted_at is null offset 0) n)
  select * from line
$$;

-- Sums over whole downlines are updated in two steps. Changes are recorded in this queue and the next one, in the
-- transaction that makes them; a loop adds both to the totals of all users above. Totals and queues together are exact
-- at every moment. This queue: a user joined or left directly below `referrer_id`.
create table downline_change (
  id bigint generated always as identity primary key,
  referrer_id bigint not null,
  members integer not null check (members in (1, -1)),
  recorded_at timestamptz not null default clock_timestamp()
);
create index downline_change_place on downline_change (referrer_id);

-- A stake on chain by any address. It is counted once its staker is a user.
create table referral_stake (
  stake_id bigint primary key,
  staker bytea not null check (octet_length(staker) = 20),
  amount numeric(78,0) not null check (amount > 0),
  is_counted boolean not null default false,
  recorded_at timestamptz not null default clock_timestamp()
);
create index referral_stake_staker on referral_stake (staker);
create index referral_stake_open on referral_stake (recorded_at) where not is_counted;

-- A user's sums without the queued changes. `locked` is the user's own, `turnover` that of the downline; `deepest` is
-- the greatest depth that the downline ever reached.
create table downline_total (
  user_id bigint primary key,
  directs integer not null default 0 check (directs >= 0),
  members integer not null default 0 check (members >= directs),
  locked numeric(78,0) not null default 0 check (locked >= 0),
  turnover numeric(78,0) not null default 0 check (turnover >= 0),
  deepest integer not null default 0 check (deepest >= 0)
) with (fillfactor = 60);
-- The sort orders of direct referrals. Most users have neither figure, so they are in neither index; the sums that
-- change most often (members, turnover) have no index.
create index downline_total_by_locked on downline_total (locked, user_id) where locked > 0;
create index downline_total_by_directs on downline_total (directs, user_id) where directs > 0;

-- Gives a new user a place in the tree. The referrer is locked until commit, so it cannot be removed concurrently.
create function referral_follow_insert() returns trigger
language plpgsql set enable_seqscan = off as $$
declare
  v_above referral_node;
  v_jump referral_node;
  v_is_far boolean;
begin
  if new.referrer_id is null then
    insert into referral_node (user_id, depth, jump_id, jump_depth, rate_bps)
      values (new.id, 0, new.id, 0, new.referral_reward_bps);
    return null;
  end if;
  select * into v_above from referral_node
    where user_id = new.referrer_id and not is_removed for share;
  if not found then
    raise exception 'the referrer % is not in the tree', new.referrer_id
      using errcode = '23503', constraint = 'referral_node_referrer';
  end if;
  select * into v_jump from referral_node where user_id = v_above.jump_id;
  v_is_far := v_above.depth - v_jump.depth = v_jump.depth - v_jump.jump_depth;
  insert into referral_node
    (user_id, referrer_id, depth, jump_id, jump_depth, zone_id, rate_bps)
    values (new.id, v_above.user_id, v_above.depth + 1,
      case when v_is_far then v_jump.jump_id else v_above.user_id end,
      case when v_is_far then v_jump.jump_depth else v_above.depth end,
      case when v_above.depth % 64 = 0 then v_above.user_id else v_above.zone_id end,
      new.referral_reward_bps);
  insert into downline_change (referrer_id, members) values (v_above.user_id, 1);
  return null;
end $$;
create trigger referral_follow_insert after insert on app_user
  for each row execute function referral_follow_insert();

-- Copies a new percentage to the tree, and a removal, which requires that there is no downline.
create function referral_follow_update() returns trigger language plpgsql as $$
begin
  if old.deleted_at is not null or new.deleted_at is null then
    update referral_node set rate_bps = new.referral_reward_bps where user_id = new.id;
    return null;
  end if;
  update referral_node set rate_bps = 0, is_removed = true where user_id = new.id;
  if exists (select from referral_node where referrer_id = new.id and not is_removed) then
    raise exception 'user % has a downline', new.id
      using errcode = '23503', constraint = 'referral_node_referrer';
  end if;
  if new.referrer_id is not null then
    insert into downline_change (referrer_id, members) values (new.referrer_id, -1);
  end if;
  return null;
end $$;
create trigger referral_follow_update after update of referral_reward_bps, deleted_at on app_user
  for each row when ((old.referral_reward_bps, old.deleted_at)
    is distinct from (new.referral_reward_bps, new.deleted_at))
  execute function referral_follow_update();

-- Refuses changes and deletions of rows: shares of a fee, claimed amounts.
create function referral_fixed() returns trigger language plpgsql as $$
begin
  raise exception '% is refused: rows of % are immutable', tg_op, tg_table_name
    using errcode = '23514', constraint = 'referral_fixed';
end $$;

-- A claim fee that was shared out. Whatever the percentages, the line never gets more of it than these caps.
create table referral_fee (
  fee_id bigint primary key,
  payer_id bigint not null references app_user,
  fee_usdt numeric(78,0) not null check (fee_usdt >= 0),
  direct numeric(78,0) not null check (direct >= 0),
  indirect numeric(78,0) not null check (indirect >= 0),
  constraint referral_fee_direct_cap check (direct * 10000 <= fee_usdt * 2500),
  constraint referral_fee_indirect_cap check (indirect * 10000 <= fee_usdt * 7500)
);
create trigger fixed before update or delete on referral_fee
  for each row execute function referral_fixed();

-- The earned and claimed amounts of a user, by kind. Rewards up to number `claimed_rows` were in a claim.
create table referral_balance (
  user_id bigint not null references app_user,
  kind text not null check (kind in ('direct', 'indirect')),
  row_count bigint not null check (row_count >= 0),
  earned numeric(78,0) not null check (earned >= 0),
  claimed_rows bigint not null default 0,
  claimed numeric(78,0) not null default 0,
  primary key (user_id, kind),
  constraint referral_balance_not_overdrawn check (claimed between 0 and earned),
  check (claimed_rows between 0 and row_count)
) with (fillfactor = 70);

-- A receiver's share of a fee. `row_number` counts a receiver's rewards of one kind in commit order, and `running` is
-- their sum so far: any range of rewards is identified by two numbers and summed by one subtraction.
create table referral_reward (
  id bigint generated always as identity primary key,
  fee_id bigint not null references referral_fee,
  receiver_id bigint not null references app_user,
  kind text not null check (kind in ('direct', 'indirect')),
  row_number bigint not null check (row_number > 0),
  level integer not null check (level > 0),
  rate_bps integer not null check (rate_bps between 1 and 7500),
  amount numeric(78,0) not null check (amount > 0),
  running numeric(78,0) not null check (running >= amount),
  from_address bytea not null check (octet_length(from_address) = 20),
  plan_code text not null,
  created_at timestamptz not null,
  constraint referral_reward_once unique (fee_id, receiver_id, kind),
  constraint referral_reward_row unique (receiver_id, kind, row_number),
  check (kind = 'indirect' or level = 1)
);
create index referral_reward_by_date on referral_reward (receiver_id, created_at, id);
create index referral_reward_by_payer on referral_reward (receiver_id, from_address, id);
-- For the amount earned up to an instant.
create index referral_reward_of_kind on referral_reward (receiver_id, kind, created_at, row_number);
create trigger fixed before update or delete on referral_reward
  for each row execute function referral_fixed();

-- A claim takes the rewards after `from_row` up to `through_row`, and those of earlier claims that ended without
-- payment (`absorbed_by`). The constraints check the approvers: never the claimant, and two different admins where two
-- are needed, which is so from the first approval on, a proposal until the second; nobody approved a claim that the vault
-- had paid before these books knew of it, as after a restore.
-- The vault on BSC needs `total`, the most that may ever be paid for its user and kind, this claim included, and the
-- text that the user signed, without the statement in its middle, which the vault rebuilds.
create table referral_claim (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('direct', 'indirect')),
  amount numeric(78,0) not null check (amount > 0),
  from_row bigint not null,
  through_row bigint not null,
  usdt_address bytea not null check (octet_length(usdt_address) = 20),
  requested_at timestamptz not null,
  state text not null default 'requested'
    check (state in ('requested', 'approved', 'paid', 'declined', 'returned')),
  needs_two boolean not null default false,
  first_approved_by bigint references app_user,
  approved_by bigint references app_user,
  approved_at timestamptz,
  payout_id bigint unique references payout,
  paid_tx bytea check (octet_length(paid_tx) = 32),
  paid_block bigint,
  paid_at timestamptz,
  ended_by bigint references app_user,
  ended_at timestamptz,
  end_reason text check (char_length(end_reason) between 1 and 300),
  absorbed_by bigint references referral_claim,
  total numeric(78,0) check (total >= amount),
  opening text,
  closing text,
  signature bytea check (octet_length(signature) = 65),
  constraint referral_claim_signed check (num_nonnulls(total, opening, closing, signature) in (0, 4)),
  check (from_row between 0 and through_row),
  constraint referral_claim_not_own check (approved_by <> user_id and first_approved_by <> user_id),
  constraint referral_claim_two_admins check (
    approved_by is null or not needs_two
    or (first_approved_by is not null and first_approved_by <> approved_by)),
  constraint referral_claim_when_approved check ((approved_at is not null) = (state in ('approved', 'paid', 'returned'))),
  constraint referral_claim_with_payout check (num_nonnulls(approved_at, payout_id) in (0, 2)),
  constraint referral_claim_without_approver check (
    (approved_by is not null) = (approved_at is not null)
    or (approved_by is null and state in ('approved', 'paid', 'returned') and signature is null)),
  check (num_nonnulls(paid_tx, paid_block, paid_at) = case when state = 'paid' then 3 else 0 end),
  check (num_nonnulls(ended_by, ended_at, end_reason)
    = case when state in ('declined', 'returned') then 3 else 0 end),
  check (absorbed_by is null or state in ('declined', 'returned'))
);
create unique index referral_claim_one_requested on referral_claim (user_id, kind)
  where state = 'requested';
create index referral_claim_by_user on referral_claim (user_id, requested_at, id);
-- The places in the queue, the amounts waiting in it, and the approved, unpaid claims.
create index referral_claim_waiting on referral_claim (id) where state = 'requested';
create index referral_claim_requested on referral_claim (amount) where state = 'requested';
create index referral_claim_unpaid on referral_claim (payout_id) where state = 'approved';
create index referral_claim_paid_block on referral_claim (paid_block) where state = 'paid';
-- The sort orders and searches of the admins' list.
create index referral_claim_by_kind on referral_claim (kind, requested_at, id);
create index referral_claim_by_date on referral_claim (requested_at, id);
create index referral_claim_by_amount on referral_claim (amount, id);
create index referral_claim_by_approved_at on referral_claim (approved_at, id);
create index referral_claim_paid_tx on referral_claim (paid_tx) where paid_tx is not null;
create index referral_claim_paid_tx_hex_end on referral_claim (hex_end(paid_tx) text_pattern_ops);
create index referral_claim_usdt_address on referral_claim (usdt_address);
create index referral_claim_usdt_address_hex_end on referral_claim (hex_end(usdt_address) text_pattern_ops);
create trigger fixed before update on referral_claim for each row
  when ((old.user_id, old.kind, old.amount, old.from_row, old.through_row, old.usdt_address, old.requested_at)
    is distinct from
    (new.user_id, new.kind, new.amount, new.from_row, new.through_row, new.usdt_address, new.requested_at))
  execute function referral_fixed();
create trigger fixed_text before update on referral_claim for each row
  when ((old.total, old.opening, old.closing, old.signature)
    is distinct from (new.total, new.opening, new.closing, new.signature))
  execute function referral_fixed();
create trigger fixed_rows before delete on referral_claim
  for each row execute function referral_fixed();

-- Restricts the state of a claim to these transitions.
create function referral_claim_moves() returns trigger language plpgsql as $$
begin
  if old.state || '>' || new.state = any (array[
    'requested>approved', 'requested>declined', 'approved>paid', 'approved>returned', 'paid>approved']) then
    return new;
  end if;
  raise exception 'referral claim % cannot go from % to %', old.id, old.state, new.state
    using errcode = '23514', constraint = 'referral_claim_moves';
end $$;
create trigger moves before update on referral_claim for each row
  when (old.state <> new.state) execute function referral_claim_moves();

-- The approved total that has not left the payout wallet yet. Its single row serializes decisions about the wallet's
-- funds.
create table referral_treasury (
  single boolean primary key default true check (single),
  committed numeric(78,0) not null default 0 check (committed >= 0)
);

-- Places and percentages, for the preview of a percentage.
create view referral_node_view as select user_id, depth, rate_bps, is_removed from referral_node;
-- Stakes that turnover counts, for audit.
create view referral_stake_view as select stake_id, staker, amount from referral_stake;
-- Sums by which admins order users.
create view downline_total_view as select user_id, directs, turnover from downline_total;
-- Shared fees, for audit and reports.
create view referral_fee_view as select fee_id, payer_id, fee_usdt, direct, indirect from referral_fee;
-- Sums by which admins order users.
create view referral_balance_view as select user_id, kind, earned, claimed from referral_balance;
-- Rewards, for audit and reports.
create view referral_reward_view as
  select id, fee_id, receiver_id, kind, level, rate_bps, amount, created_at from referral_reward;
-- Claims with their approvals, for audit and reports.
create view referral_claim_view as
  select id, user_id, kind, amount, usdt_address, requested_at, state, approved_at, paid_tx, paid_at, ended_at,
    end_reason
  from referral_claim;
-- What is approved and not paid, for audit.
create view referral_treasury_view as select committed from referral_treasury;
-- What each holder is owed, unclaimed or in a claim that is not paid yet, for reports.
create view referral_owed_view as
  select u.id as user_id, u.address, sum(o.owed) as owed
  from (
    select user_id, earned - claimed as owed from referral_balance
    union all
    select user_id, amount from referral_claim where state in ('requested', 'approved')
  ) o
  join app_user_view u on u.id = o.user_id
  group by u.id, u.address
  having sum(o.owed) > 0;

-- Marks of what a user's pages show of the downline, rewards and claims. A queued change of a downline counts once it is in
-- the total. The place of a claim in its queue changes with the claims before it, of whomever.
create view referral_mark as
  select user_id, hash_record_extended(row('downline'::text, user_id, xmin), 0) as mark from downline_total
  union all
  select user_id, hash_record_extended(row('balance'::text, user_id, kind, xmin), 0) from referral_balance
  union all
  select c.user_id, hash_record_extended(row('claim'::text, c.id, c.xmin,
    (select p.mark from payout_mark p where p.payout_id = c.payout_id),
    case c.state
      when 'requested' then (select count(*) from (select from referral_claim o
        where o.state = 'requested' and o.id < c.id limit 1000) earlier)
      when 'approved' then (select count(*) from (select from referral_claim o
        where o.state = 'approved' and o.payout_id < c.payout_id limit 1000) earlier) end), 0)
  from referral_claim c;
