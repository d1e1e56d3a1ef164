import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_run (
      id bigint generated always as identity primary key,
      is_full boolean not null,
      started_at timestamptz not null,
      finished_at timestamptz not null,
      compared bigint not null,
      differences integer not null,
      outcomes jsonb not null
    )`.execute(db)
}
