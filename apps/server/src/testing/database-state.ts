import { sql } from 'kysely'
import type { Db } from '../platform/database/db.ts'

/** Tables that even a refused request may change: its session's last use, and the counts of rate limits. */
export const NOT_FACTS = new Set(['request_count', 'auth_session'])

/** A hash of each table's rows. Two states are equal if and only if nothing has changed. */
export async function databaseState(db: Db): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const names = tables.rows.map(({ name }) => name).filter((name) => !NOT_FACTS.has(name))
  const parts = names.map(
    (name) => sql`select ${name} as name, count(*) || ':' ||
      coalesce(md5(string_agg(row_text, '|' order by row_text)), '') as state
      from (select t::text as row_text from ${sql.table(name)} t) as rows`,
  )
  const found = await sql<{
    name: string
    state: string
  }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return Object.fromEntries(found.rows.map(({ name, state }) => [name, state]))
}

/** The names of all columns of all tables. */
export async function columnNames(db: Db): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select distinct column_name as name from information_schema.columns
    where table_schema = 'public' order by 1`.execute(db)
  return found.rows.map(({ name }) => name)
}
