import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import type { Db } from './db.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** Any number that no other program on this database uses: one migration runs at a time. */
const LOCK = 7_204_611

type Migration = { up(db: Kysely<unknown>): Promise<void> }

/**
 * Brings the schema forward, each step in a transaction of its own. Safe to run again and from several processes.
 * @returns the names of the steps that ran.
 * @throws when the database holds a step that this version does not know (it was made by a newer one).
 */
export async function migrate(db: Db): Promise<string[]> {
  const names = (await readdir(fileURLToPath(FOLDER)))
    .filter((name) => /^\d{4}-[\w-]+\.ts$/.test(name))
    .sort()
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(connection)
    try {
      await sql`create table if not exists migration (name text primary key, ran_at timestamptz not null default now())`.execute(
        connection,
      )
      const done = await sql<{ name: string }>`select name from migration`.execute(connection)
      const ran = new Set(done.rows.map((row) => row.name))
      const unknown = [...ran].filter((name) => !names.includes(name))
      if (unknown.length > 0) {
        throw new Error(
          `The database was made by a newer version (it knows ${unknown.join(', ')}). Start that version.`,
        )
      }
      const missing = names.filter((name) => !ran.has(name))
      for (const name of missing) await runStep(connection, name)
      return missing
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
    }
  })
}

async function runStep(connection: Db, name: string): Promise<void> {
  const step = (await import(new URL(name, FOLDER).href)) as Migration
  await connection.transaction().execute(async (tx) => {
    await step.up(tx as unknown as Kysely<unknown>)
    await sql`insert into migration (name) values (${name})`.execute(tx)
  })
}
