import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createLog(db)
  await createCounts(db)
  await indexUsers(db)
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table admin_log (
      id bigint generated always as identity primary key,
      admin_id bigint not null references app_user (id),
      action text not null,
      subject text not null,
      before jsonb,
      after jsonb,
      ip text,
      at timestamptz not null
    )`.execute(db)
  await sql`create index admin_log_at on admin_log (at desc, id desc)`.execute(db)
  await sql`create index admin_log_subject on admin_log (subject text_pattern_ops, id)`.execute(db)
  await sql`
    create function admin_log_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'admin_log is append-only' using errcode = '23514';
    end $$`.execute(db)
  await sql`
    create trigger append_only before update or delete or truncate on admin_log
      for each statement execute function admin_log_is_append_only()`.execute(db)
}

/**
 * Figures of the dashboard that no other part counts as it goes: users, and DCT claimed. Each is spread
 * over rows, so that registrations and claims do not wait for one another.
 */
async function createCounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_count (
      name text not null check (name in ('users', 'claimed')),
      shard smallint not null,
      amount numeric(78,0) not null,
      primary key (name, shard)
    ) with (fillfactor = 50)`.execute(db)
  await sql`
    create function service_count_add(p_name text, p_shard bigint, p_amount numeric) returns void
    language sql as $$
      insert into service_count values (p_name, p_shard % 64, p_amount)
        on conflict (name, shard) do update set amount = service_count.amount + excluded.amount
    $$`.execute(db)
  // In the order of the shards, so that two statements never wait for each other.
  await sql`
    create function service_count_users() returns trigger language plpgsql as $$
    begin
      perform service_count_add('users', shard, added)
        from (select id % 64 as shard, count(*) as added from new_users
              where deleted_at is null group by 1 order by 1) counted;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger service_count_users after insert on app_user referencing new table as new_users
      for each statement execute function service_count_users()`.execute(db)
  await sql`
    create function service_count_deleted() returns trigger language plpgsql as $$
    begin
      perform service_count_add('users', new.id, case when new.deleted_at is null then 1 else -1 end);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger service_count_deleted after update of deleted_at on app_user for each row
      when ((old.deleted_at is null) is distinct from (new.deleted_at is null))
      execute function service_count_deleted()`.execute(db)
  await sql`
    create function service_count_claimed() returns trigger language plpgsql as $$
    begin
      perform service_count_add('claimed', shard, added)
        from (select id % 64 as shard, sum(amount) as added from new_claims group by 1 order by 1) counted;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger service_count_claimed after insert on claim referencing new table as new_claims
      for each statement execute function service_count_claimed()`.execute(db)
  await sql`
    create function service_count_unclaimed() returns trigger language plpgsql as $$
    begin
      perform service_count_add('claimed', new.id, -new.later_amount);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger service_count_unclaimed after update of state on claim for each row
      when (old.state is distinct from new.state and new.state in ('cancelled', 'lapsed'))
      execute function service_count_unclaimed()`.execute(db)
}

/** The orders and the searches of the list of users. */
async function indexUsers(db: Kysely<unknown>): Promise<void> {
  for (const column of ['email', 'role', 'referral_reward_bps']) {
    await sql`
      create index ${sql.ref(`app_user_by_${column}`)} on app_user (${sql.ref(column)}, id)
        where deleted_at is null`.execute(db)
  }
  await sql`
    create index app_user_with_percentage on app_user (created_at, id)
      where referral_reward_bps > 0 and deleted_at is null`.execute(db)
  await sql`
    create index app_user_code_search on app_user (referral_code text_pattern_ops)
      where deleted_at is null`.execute(db)
  await sql`
    create index app_user_email_search on app_user (lower(email) text_pattern_ops)
      where deleted_at is null`.execute(db)
}
