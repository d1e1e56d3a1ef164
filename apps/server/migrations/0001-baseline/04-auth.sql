-- Access: accounts, challenges to sign, sessions, and rate limits.

-- An account is a Tron address. A removed one keeps its row, and the address may register again. A referrer is always
-- older than the users referred, so the tree cannot contain a cycle.
create table app_user (
  id bigint generated always as identity primary key,
  address bytea not null check (octet_length(address) = 20),
  email text check (char_length(email) <= 254),
  role text not null default 'user' check (role in ('user', 'admin')),
  referral_code text not null check (referral_code ~ '^[A-Z2-9]{8}$'),
  referrer_id bigint references app_user,
  depth integer not null default 0 check (depth >= 0),
  referral_reward_bps integer not null default 0 check (referral_reward_bps between 0 and 7500),
  created_at timestamptz not null,
  deleted_at timestamptz,
  constraint app_user_no_cycle check (referrer_id < id),
  -- Scans over all users by address or by code need only their ids, so both indexes include those.
  constraint app_user_referral_code unique (referral_code) include (id)
);
create unique index app_user_address on app_user (address) include (id) where deleted_at is null;
create index app_user_referrer on app_user (referrer_id, id);
create index app_user_created on app_user (created_at, id);
create index app_user_admins on app_user (id) where role = 'admin';
-- The sort orders and searches of the admins' list of users.
create index app_user_by_email on app_user (email, id) where deleted_at is null;
create index app_user_by_role on app_user (role, id) where deleted_at is null;
create index app_user_by_referral_reward_bps on app_user (referral_reward_bps, id) where deleted_at is null;
create index app_user_with_percentage on app_user (created_at, id)
  where referral_reward_bps > 0 and deleted_at is null;
create index app_user_code_search on app_user (referral_code text_pattern_ops) where deleted_at is null;
create index app_user_email_search on app_user (lower(email) text_pattern_ops) where deleted_at is null;
create index app_user_address_end on app_user (tron_address_end(address) text_pattern_ops);
-- Statistics from one very wide tree would make the planner assume thousands of referrals per user.
alter table app_user alter column referrer_id set (n_distinct = -0.5);

-- Makes a user's identity and place in the referral tree immutable: percentages and sums along the line depend on them.
create function app_user_keeps() returns trigger language plpgsql as $$
begin
  if (new.id, new.address, new.referrer_id, new.referral_code, new.depth)
    is distinct from (old.id, old.address, old.referrer_id, old.referral_code, old.depth)
  then
    raise exception 'a user keeps address, referrer and referral code' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger app_user_keeps before update on app_user
  for each row execute function app_user_keeps();

-- A text for a wallet to sign. Its nonce is valid once. `origin_key` identifies the requester, so that one caller
-- cannot fill the table.
create table auth_challenge (
  nonce text primary key,
  purpose text not null check (purpose in ('login', 'register', 'referral_claim', 'step_up')),
  address bytea not null check (octet_length(address) = 20),
  payload jsonb not null,
  origin_key text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index auth_challenge_live on auth_challenge (origin_key, issued_at) where used_at is null;
create index auth_challenge_expiry on auth_challenge (expires_at);

-- A session. Only the hash of its token is stored, so that reading the table does not give access. It expires when
-- idle, and ends at `ends_at` in any case. `confirmed_at`: the wallet's last signature for a sensitive action.
create table auth_session (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  user_id bigint not null references app_user,
  role text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  confirmed_at timestamptz,
  network text not null,
  user_agent text not null,
  check (expires_at <= ends_at)
);
create index auth_session_user on auth_session (user_id);
create index auth_session_expiry on auth_session (expires_at);

-- Tells every process when a session ends before its time: none goes on accepting it from memory.
create function auth_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('auth_session_ended', old.user_id::text);
  return null;
end $$;
create trigger auth_session_ended after delete on auth_session
  for each row when (old.expires_at > now()) execute function auth_session_ended();

-- Calls counted over all processes. Unlogged: a crash of the database only loses the counts.
create unlogged table request_count (
  key text primary key,
  window_start timestamptz not null,
  used integer not null
);
create index request_count_window on request_count (window_start);

-- Accounts, for the referral tree, for lists of admins, and for whoever shows an address.
create view app_user_view as
  select id, address, email, role, referral_code, referrer_id, depth, referral_reward_bps, created_at, deleted_at
  from app_user;

-- Marks: one number for every row that a holder's pages show, which changes with it, so that an open page can ask whether
-- anything of its holder has changed (modules/reports/changes). Any write of a row changes its xmin.
create view app_user_mark as
  select id as user_id, hash_record_extended(row('user'::text, id, xmin), 0) as mark from app_user
  union all
  select user_id, hash_record_extended(row('session'::text, id), 0) from auth_session;
