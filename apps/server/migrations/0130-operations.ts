import { type Kysely, sql } from 'kysely'

/** What operators look at: how the standing work goes, and what is there to pay with, now and by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table loop_report (
      host text not null,
      name text not null,
      is_idle boolean not null,
      failures integer not null check (failures >= 0),
      last_error text,
      reported_at timestamptz not null,
      primary key (host, name)
    )`.execute(db)
  await sql`
    create table means_reading (
      name text primary key,
      amount numeric(78,0) check (amount >= 0),
      read_at timestamptz,
      failed_at timestamptz,
      check ((amount is null) = (read_at is null)),
      check (read_at is not null or failed_at is not null)
    )`.execute(db)
  await sql`
    create table money_day (
      day date not null,
      figure text not null,
      plan_code text not null default '',
      amount numeric(78,0),
      primary key (day, figure, plan_code)
    )`.execute(db)
  await sql`
    create table audit_request (
      single boolean primary key default true check (single),
      is_full boolean not null,
      asked_by bigint not null references app_user (id),
      asked_at timestamptz not null
    )`.execute(db)
  await sql`
    create index referral_claim_requested on referral_claim (amount) where state = 'requested'`.execute(
    db,
  )
  // The log is narrowed by who acted and by what was done.
  await sql`create index admin_log_action on admin_log (action, at desc, id desc)`.execute(db)
  await sql`create index admin_log_admin on admin_log (admin_id, at desc, id desc)`.execute(db)
}
