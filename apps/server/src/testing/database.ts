import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type Db, openDatabase } from '../platform/db.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL that the whole run shares; made by the global setup. */
    postgresUrl: string
    /** The migrated database that every test file copies. */
    templateDatabase: string
  }
}

export type TestDatabase = { db: Db; url: string; drop(): Promise<void> }

let made = 0

/** A database of its own for one test file: a copy of the migrated template. */
export async function createTestDatabase(maxConnections = 20): Promise<TestDatabase> {
  made += 1
  const name = `t_${process.pid}_${process.hrtime.bigint()}_${made}`
  await administer(`create database ${name} template ${inject('templateDatabase')}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  const db = openDatabase({ url: url.href, maxConnections })
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

/** Empties every table but the migrations' own between tests. */
export async function wipe(db: Db): Promise<void> {
  await sql`
    do $$ declare names text; begin
      select string_agg(format('%I.%I', schemaname, tablename), ', ') into names
        from pg_tables where schemaname = 'public' and tablename <> 'migration';
      execute 'set local session_replication_role = replica';
      execute 'truncate ' || names || ' restart identity cascade';
      execute 'insert into business_clock default values';
    end $$`.execute(db)
}
