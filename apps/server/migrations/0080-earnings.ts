import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createEarnings(db)
  await createRewardRows(db)
  await createDistribution(db)
}

async function createEarnings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table earning (
      id bigint generated always as identity primary key,
      stake_id bigint not null unique,
      staker bytea not null check (octet_length(staker) = 20),
      is_registered boolean not null,
      plan_id bigint not null references earning_plan,
      plan_code text not null,
      amount numeric(78,0) not null check (amount > 0),
      reward numeric(78,0) not null check (reward >= 0),
      cycles integer not null check (cycles > 0),
      freeze_limit integer not null check (freeze_limit > 0),
      started_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > started_at),
      start_day date not null,
      claimed_through integer not null default 0 check (claimed_through between 0 and cycles),
      own_excused integer not null default 0 check (own_excused >= 0),
      has_open_fee boolean not null default false,
      expired_amount numeric(78,0) check (expired_amount > 0),
      is_settled boolean not null default false,
      tx_hash bytea not null check (octet_length(tx_hash) = 32),
      log_index integer not null,
      block_number bigint not null,
      booked_at timestamptz not null,
      release_asked_at timestamptz,
      released_at timestamptz,
      release_tx bytea check (octet_length(release_tx) = 32),
      constraint earning_once_a_plan unique (staker, plan_id),
      unique (tx_hash, log_index),
      check ((released_at is null) = (release_tx is null))
    ) with (fillfactor = 90)`.execute(db)
  await sql`create index earning_by_plan on earning (plan_code, started_at, tx_hash)`.execute(db)
  await sql`create index earning_by_start on earning (started_at, tx_hash)`.execute(db)
  // One for every column that the admins' lists can be sorted by.
  const sorted = ['ends_at', 'staker', 'amount', 'reward', 'div(reward, cycles::numeric)']
  for (const column of sorted) {
    await sql`create index on earning (${sql.raw(`(${column})`)}, tx_hash)`.execute(db)
  }
  await sql`create index earning_to_release on earning (ends_at) where release_asked_at is null`.execute(
    db,
  )
  await sql`create index earning_to_settle on earning (ends_at) where not is_settled`.execute(db)
  await sql`create index earning_unregistered on earning (staker) where not is_registered`.execute(
    db,
  )
  await sql`
    create table stake_count (
      plan_id bigint not null references earning_plan,
      day date not null,
      stakes bigint not null,
      primary key (plan_id, day)
    )`.execute(db)
  await createSubmissions(db)
}

async function createSubmissions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table join_submission (
      tx_hash bytea not null check (octet_length(tx_hash) = 32),
      user_id bigint not null,
      staker bytea not null check (octet_length(staker) = 20),
      plan_code text not null,
      amount numeric(78,0) not null check (amount > 0),
      reward numeric(78,0) not null check (reward >= 0),
      cycles integer not null check (cycles > 0),
      submitted_at timestamptz not null,
      state text not null check (state in ('WAITING', 'FAILED', 'BOOKED')),
      reason text,
      checks integer not null default 0,
      checked_block bigint not null default 0,
      primary key (tx_hash, user_id),
      check ((state = 'FAILED') = (reason is not null))
    )`.execute(db)
  await sql`
    create unique index join_submission_one_waiting on join_submission (staker, plan_code)
      where state = 'WAITING'`.execute(db)
  await sql`
    create index join_submission_waiting on join_submission (submitted_at) where state = 'WAITING'`.execute(
    db,
  )
  await sql`create index join_submission_by_staker on join_submission (staker, submitted_at)`.execute(
    db,
  )
  await sql`
    create index join_submission_by_time on join_submission (submitted_at, tx_hash)
      where state <> 'BOOKED'`.execute(db)
  await createRecords(db)
}

/** Stakes as holders see them: those on chain, and those that were only announced. */
async function createRecords(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view stake_record as
      select id as earning_id, tx_hash, staker, is_registered, plan_code, amount, reward, cycles,
        started_at, ends_at, 'SUCCESS' as state, null::text as reason
      from earning
      union all
      select null, tx_hash, staker, true, plan_code, amount, reward, cycles, submitted_at,
        submitted_at + cycles * interval '24 hours', state, reason
      from join_submission where state <> 'BOOKED'`.execute(db)
}

async function createRewardRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_row (
      earning_id bigint not null,
      day date not null,
      cycle integer not null check (cycle > 0),
      amount numeric(78,0) not null check (amount >= 0),
      lapsed_amount numeric(78,0) check (lapsed_amount >= 0),
      primary key (earning_id, day),
      check (lapsed_amount is null or amount = 0)
    ) partition by range (day)`.execute(db)
  await sql`
    create index reward_row_lapsed on reward_row (earning_id, cycle) include (lapsed_amount)
      where lapsed_amount is not null`.execute(db)
  // Attaching takes a lock that lets readers and writers of other months go on; "create … partition of" does not.
  await sql`
    create function reward_row_ensure_month(p_day date) returns void language plpgsql as $$
    declare
      v_from date := date_trunc('month', p_day::timestamp)::date;
      v_name text := 'reward_row_' || to_char(v_from, 'YYYYMM');
    begin
      if to_regclass(v_name) is not null then return; end if;
      perform pg_advisory_xact_lock(7204613);
      if to_regclass(v_name) is not null then return; end if;
      execute format('create table %I (like reward_row including constraints)', v_name);
      execute format('alter table reward_row attach partition %I for values from (%L) to (%L)',
        v_name, v_from, (v_from + interval '1 month')::date);
    end $$`.execute(db)
}

async function createDistribution(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table distribution_cursor (
      plan_id bigint primary key references earning_plan,
      plan_code text not null,
      cycles integer not null check (cycles > 0),
      through_day date not null
    )`.execute(db)
  await sql`
    create table distribution_day (
      plan_id bigint not null references earning_plan,
      day date not null,
      ran_at timestamptz not null,
      row_count bigint not null,
      credited numeric(78,0) not null,
      lapsed numeric(78,0) not null,
      primary key (plan_id, day)
    )`.execute(db)
  await sql`create index distribution_day_by_day on distribution_day (day)`.execute(db)
  await sql`
    create table excused_day (
      day date primary key,
      reason text not null check (reason in ('late_run', 'claims_unavailable')),
      noted_at timestamptz not null
    )`.execute(db)
  await sql`
    create table earning_excuse (
      earning_id bigint not null references earning (id),
      day date not null,
      reason text not null check (reason in ('late_booking', 'late_settlement')),
      primary key (earning_id, day)
    )`.execute(db)
  await sql`
    create table claim_availability (
      id bigint generated always as identity primary key,
      from_at timestamptz not null,
      to_at timestamptz not null,
      seen_at timestamptz not null,
      check (to_at >= from_at)
    )`.execute(db)
  await sql`create index claim_availability_by_time on claim_availability (to_at)`.execute(db)
}
