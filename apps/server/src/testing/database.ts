import { type Kysely, type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { type Db, inTransaction, openDatabase, type Tx } from '../platform/database/db.ts'
import { type AllTables, everything } from './all-tables.ts'
import {
  administer,
  createDatabase,
  type DatabaseServers,
  databaseAt,
  dropDatabase,
} from './database-servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Shared by the whole run, from the global setup. */
    databaseServers: DatabaseServers
    /** The migrated template database that every test file copies. */
    templateDatabase: string
  }
}

export type TestDatabase = {
  db: Kysely<AllTables>
  url: string
  /** The settings for processes that use it. */
  settings: { DATABASE_URL: string }
  drop(): Promise<void>
}

const CONNECTIONS = 20

let made = 0

function nextName(): string {
  made += 1
  return `t_${process.pid}_${process.hrtime.bigint()}_${made}`
}

/** A database without a schema. On a cluster, Citus is enabled in it. */
export async function createEmptyDatabase(): Promise<Pick<TestDatabase, 'url' | 'drop'>> {
  const servers = inject('databaseServers')
  const name = nextName()
  const url = await createDatabase(servers, name)
  return { url, drop: () => dropDatabase(servers, name) }
}

/** A separate database for one test file: a copy of the migrated template. */
export async function createTestDatabase(maxConnections = CONNECTIONS): Promise<TestDatabase> {
  const servers = inject('databaseServers')
  const name = nextName()
  await administer(servers, `create database ${name} template ${inject('templateDatabase')}`)
  const url = databaseAt(servers[0], name)
  return opened(url, { servers, maxConnections })
}

function opened(
  url: string,
  made: { servers: DatabaseServers; maxConnections: number },
): TestDatabase {
  const { servers, maxConnections } = made
  const db = everything(openDatabase({ url, maxConnections }))
  return {
    db,
    url,
    settings: { DATABASE_URL: url },
    async drop() {
      await db.destroy()
      await dropDatabase(servers, new URL(url).pathname.slice(1))
    },
  }
}

/** A separate database for the tests of a file, created before the first and dropped after the last of them. */
export function useTestDatabase(
  maxConnections?: number,
  create = createTestDatabase,
): Omit<TestDatabase, 'drop'> {
  let database: TestDatabase | undefined
  beforeAll(async () => {
    database = await create(maxConnections)
  })
  afterAll(() => database?.drop())
  const created = () => {
    if (!database) throw new Error('the database is created before the first test')
    return database
  }
  return {
    get db() {
      return created().db
    },
    get url() {
      return created().url
    },
    get settings() {
      return created().settings
    },
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

/** Changes rows while triggers are disabled, like a bug or a manual change in the database. */
export async function spoil(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  await inTransaction(db, async (tx) => {
    await disableTriggers(tx)
    const { numAffectedRows } = await statement.execute(tx)
    expect(numAffectedRows).toBeGreaterThan(0n)
  })
}

/**
 * Empties every table except those of migrations, and restarts every sequence. Deletes only from tables that have rows:
 * `truncate` of all tables takes a hundred times as long, because it creates new files for each.
 */
export async function wipe(db: Db): Promise<void> {
  const { rows: spread } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'
      and exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname like 'truncate_trigger_%')`.execute(
    db,
  )
  await inTransaction(db, async (tx) => {
    await disableTriggers(tx)
    for (const { name } of spread) await sql`delete from ${sql.table(name)}`.execute(tx)
    await sql`
    do $$ declare filled record; begin
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
    end $$`.execute(tx)
  })
}

/** Until the end of the transaction, on the workers of a cluster too. */
async function disableTriggers(tx: Tx): Promise<void> {
  await sql`set local citus.propagate_set_commands = 'local'`.execute(tx)
  await sql`set local session_replication_role = replica`.execute(tx)
}
