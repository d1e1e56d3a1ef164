import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table business_clock (
      single boolean primary key default true check (single),
      offset_ms bigint not null default 0 check (offset_ms >= 0)
    )`.execute(db)
  await sql`insert into business_clock default values`.execute(db)
  await sql`create table pin (name text primary key, value text not null)`.execute(db)
  await sql`
    create table job (
      id bigint generated always as identity primary key,
      queue text not null,
      dedupe_key text not null,
      payload jsonb not null default '{}'::jsonb,
      run_at timestamptz not null,
      attempts integer not null default 0,
      locked_until timestamptz,
      last_error text,
      constraint job_once unique (queue, dedupe_key)
    )`.execute(db)
  await sql`create index job_due on job (run_at, id)`.execute(db)
  await sql`
    create table schedule (
      name text primary key,
      last_run_day date,
      last_run_at timestamptz
    )`.execute(db)
  await sql`
    create table alarm (
      id bigint generated always as identity primary key,
      kind text not null,
      subject text not null,
      message text not null,
      raised_at timestamptz not null,
      cleared_at timestamptz
    )`.execute(db)
  await sql`create unique index alarm_open on alarm (kind, subject) where cleared_at is null`.execute(
    db,
  )
}
