import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createUsers(db)
  await sql`
    create table auth_challenge (
      nonce text primary key,
      purpose text not null check (purpose in ('login', 'register', 'referral_claim', 'step_up')),
      address bytea not null check (octet_length(address) = 20),
      payload jsonb not null,
      origin_key text not null,
      issued_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`
    create index auth_challenge_live on auth_challenge (origin_key, issued_at)
      where used_at is null`.execute(db)
  await sql`create index auth_challenge_expiry on auth_challenge (expires_at)`.execute(db)
  await sql`
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
    )`.execute(db)
  await sql`create index auth_session_user on auth_session (user_id)`.execute(db)
  await sql`create index auth_session_expiry on auth_session (expires_at)`.execute(db)
  await sql`
    create unlogged table request_count (
      key text primary key,
      window_start timestamptz not null,
      used integer not null
    )`.execute(db)
  await sql`create index request_count_window on request_count (window_start)`.execute(db)
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app_user (
      id bigint generated always as identity primary key,
      address bytea not null check (octet_length(address) = 20),
      email text check (char_length(email) <= 254),
      role text not null default 'user' check (role in ('user', 'admin')),
      referral_code text not null
        constraint app_user_referral_code unique check (referral_code ~ '^[A-Z2-9]{8}$'),
      referrer_id bigint references app_user,
      depth integer not null default 0 check (depth >= 0),
      referral_reward_bps integer not null default 0 check (referral_reward_bps between 0 and 7500),
      created_at timestamptz not null,
      terms_version text,
      terms_accepted_at timestamptz,
      deleted_at timestamptz,
      constraint app_user_no_cycle check (referrer_id < id)
    )`.execute(db)
  await sql`create unique index app_user_address on app_user (address) where deleted_at is null`.execute(
    db,
  )
  await sql`create index app_user_referrer on app_user (referrer_id, id)`.execute(db)
  await sql`create index app_user_created on app_user (created_at, id)`.execute(db)
  await sql`create index app_user_admins on app_user (id) where role = 'admin'`.execute(db)
  await sql`
    create function app_user_keeps() returns trigger language plpgsql as $$
    begin
      if (new.id, new.address, new.referrer_id, new.referral_code, new.depth)
        is distinct from (old.id, old.address, old.referrer_id, old.referral_code, old.depth)
      then
        raise exception 'a user keeps address, referrer and referral code' using errcode = '23514';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger app_user_keeps before update on app_user
      for each row execute function app_user_keeps()`.execute(db)
}
