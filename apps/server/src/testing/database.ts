import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type Db, openDatabase } from '../platform/db.ts'
import { type AllTables, everything } from './all-tables.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server shared by the whole run, started by the global setup. */
    postgresUrl: string
    /** The migrated template database that every test file copies. */
    templateDatabase: string
  }
}

export type TestDatabase = { db: Kysely<AllTables>; url: string; drop(): Promise<void> }

let made = 0

/** A separate database for one test file: a copy of the migrated template. */
export async function createTestDatabase(maxConnections = 20): Promise<TestDatabase> {
  made += 1
  const name = `t_${process.pid}_${process.hrtime.bigint()}_${made}`
  await administer(`create database ${name} template ${inject('templateDatabase')}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const db = everything(openDatabase({ url: url.href, maxConnections }))
  return {
    db,
    url: url.href,
    async drop() {
      await db.destroy()
      await administer(`drop database if exists ${name} with (force)`)
    },
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Resolves when this many sessions of the database are waiting for locks. */
export async function someoneWaits(db: Db, sessions = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length >= sessions) return
    await new Promise(setImmediate)
  }
}

/**
 * Empties every table except those of migrations, and restarts every sequence. Deletes only from tables that have rows:
 * `truncate` of all tables takes a hundred times as long, because it creates new files for each.
 */
export async function wipe(db: Db): Promise<void> {
  await sql`
    do $$ declare filled record; begin
      set local session_replication_role = replica;
      for filled in
        select schemaname, tablename from pg_tables
          where schemaname = 'public' and tablename <> 'migration'
            and pg_relation_size(format('%I.%I', schemaname, tablename)::regclass) > 0
      loop
        execute format('delete from %I.%I', filled.schemaname, filled.tablename);
      end loop;
      perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        from pg_sequences where schemaname = 'public' and last_value is not null;
      insert into business_clock default values;
    end $$`.execute(db)
}
