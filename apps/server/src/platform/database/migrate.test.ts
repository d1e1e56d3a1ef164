import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createEmptyDatabase } from '../../testing/database.ts'
import { VERSION } from '../version.ts'
import { type Db, kyselyOf, openDatabase } from './db.ts'
import { isMigrated, migrate, pendingSteps, SchemaMismatch, unsuitable } from './migrate.ts'

const opened: Db[] = []
let empty: Awaited<ReturnType<typeof createEmptyDatabase>> | undefined

function open(options: { statementTimeoutMs?: number } = {}): Db {
  const db = openDatabase({ url: empty?.url ?? '', maxConnections: 2, ...options })
  opened.push(db)
  return db
}

const closeAll = () => Promise.all(opened.splice(0).map((db) => db.destroy()))

beforeEach(async () => {
  await closeAll()
  await empty?.drop()
  empty = await createEmptyDatabase()
})
afterAll(async () => {
  await closeAll()
  await empty?.drop()
})

async function stepsIn(db: Db): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from migration order by name`.execute(db)
  return found.rows.map(({ name }) => name)
}

/** Every column of every table, and every constraint. */
async function schemaOf(db: Db): Promise<unknown[]> {
  const columns = await sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by 1, 2`.execute(db)
  const constraints = await sql`
    select conrelid::regclass::text as on, conname, pg_get_constraintdef(oid) as says from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`.execute(db)
  return [...columns.rows, ...constraints.rows]
}

async function tableExists(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select to_regclass(${table}) as name`.execute(db)
  return rows.some((row) => Object.values(row as object)[0] !== null)
}

/** How many sessions wait for a lock on a table. */
async function waitersFor(db: Db, table: string): Promise<string | undefined> {
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from pg_locks
    where relation = ${table}::regclass and not granted`.execute(db)
  return rows[0]?.count
}

/** Creates a folder of migrations. @returns its path, and a function that adds a file */
function givenFolder(files: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), 'dct-migrations-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { folder: pathToFileURL(`${dir}/`), write }
}

test('an empty database gets every step in order; a second run changes nothing', async () => {
  const db = open()
  const ran = await migrate(db)
  expect(ran[0]).toBe('0001-baseline')
  expect(await stepsIn(db)).toEqual(ran)
  const schema = await schemaOf(db)
  expect(schema.length).toBeGreaterThan(100)
  expect(await migrate(db)).toEqual([])
  expect(await schemaOf(db)).toEqual(schema)
})

test('[T095] processes that start together run each step once', async () => {
  const ran = await Promise.all([open(), open(), open(), open()].map((db) => migrate(db)))
  const all = ran.flat()
  expect(all.toSorted()).toEqual(await stepsIn(open()))
  expect(new Set(all).size).toBe(all.length)
})

test('[T095] a version older than its database refuses to start and changes nothing', async () => {
  const db = open()
  await migrate(db)
  await sql`insert into migration (name) values ('9999-tomorrow.sql')`.execute(db)
  const schema = await schemaOf(db)
  const refusal = migrate(db)
  await expect(refusal).rejects.toBeInstanceOf(SchemaMismatch)
  await expect(refusal).rejects.toThrow(/newer version \(it has 9999-tomorrow\.sql\)/)
  expect(await schemaOf(db)).toEqual(schema)
  await sql`delete from migration where name = '9999-tomorrow.sql'`.execute(db)
  expect(await migrate(db)).toEqual([]) // the lock was released
})

test('[T095] this version runs after the migrations of the next version, but not after those of the one after that', async () => {
  const db = open()
  await migrate(db)
  const [major, minor] = VERSION.split('.').map(Number)
  const record = (step: string) => sql`insert into migration (name) values (${step})`.execute(db)
  await record(`9001-${major}.${Number(minor) + 1}.0-claims-more.sql`)
  expect(await migrate(db)).toEqual([])
  expect(await pendingSteps(db)).toEqual([])
  expect(await isMigrated(db)).toBe(true)
  const over = `9002-${major}.${Number(minor) + 2}.0-claims-less.sql`
  await record(over)
  await expect(migrate(db)).rejects.toThrow(`newer version (it has ${over})`)
  expect(await isMigrated(db)).toBe(false)
})

test('a server older than the statements need is no place for the schema', async () => {
  const db = open()
  expect(await unsuitable(db, 1)).toBeUndefined()
  expect(await unsuitable(db, 99)).toMatch(/^it is PostgreSQL \d+, and 99 or newer is needed$/)
})

test('a database older than the baseline is refused with instructions, and not changed', async () => {
  const db = open()
  await sql`create table migration (name text primary key, ran_at timestamptz not null default now())`.execute(
    db,
  )
  await sql`insert into migration (name) values ('0001-platform.ts')`.execute(db)
  const schema = await schemaOf(db)
  const refusal = migrate(db)
  await expect(refusal).rejects.toBeInstanceOf(SchemaMismatch)
  await expect(refusal).rejects.toThrow(
    /older than 0001-baseline.*\(it has 0001-platform\.ts\).*version that made it.*DATABASE_URL to an empty database.*--reset/,
  )
  expect(await schemaOf(db)).toEqual(schema)
})

test('a database that a version made that recorded no hashes is refused, and not changed', async () => {
  const db = open()
  await migrate(db)
  await sql`alter table migration drop column hash`.execute(db)
  const schema = await schemaOf(db)
  await expect(migrate(db)).rejects.toThrow(/another state of 0001-baseline/)
  await expect(pendingSteps(db)).rejects.toBeInstanceOf(SchemaMismatch)
  expect(await schemaOf(db)).toEqual(schema)
})

test('[T095] a step that fails leaves nothing behind, and runs at the next start', async () => {
  const db = open()
  await sql`create table plan_day (in_the_way int)`.execute(db)
  await expect(migrate(db)).rejects.toThrow(/0001-baseline\/06-plans\.sql.*plan_day/)
  expect(await stepsIn(db)).toEqual([])
  // One table is created by an earlier file of the step, the other by an earlier statement of the same file.
  expect(await tableExists(db, 'ledger_account')).toBe(false)
  expect(await tableExists(db, 'earning_plan')).toBe(false)
  await sql`drop table plan_day`.execute(db)
  expect(await migrate(db)).toEqual(await stepsIn(db))
})

describe('later steps', () => {
  const baseline = { '0001-baseline.sql': 'create table a (id int);' }

  test('[T095] numbered files run after the baseline in order, each once', async () => {
    const db = open()
    const { folder, write } = givenFolder(baseline)
    expect(await migrate(db, { folder })).toEqual(['0001-baseline.sql'])
    write('0003-fill.sql', 'insert into a values (1, 2);')
    write('0002-widen.sql', 'alter table a add column more int;')
    expect(await migrate(db, { folder })).toEqual(['0002-widen.sql', '0003-fill.sql'])
    expect(await migrate(db, { folder })).toEqual([])
    expect((await sql`select * from a`.execute(db)).rows).toEqual([{ id: 1, more: 2 }])
  })

  test.each(['0001-baseline.sql', '0002-widen.sql'])(
    'a database that another state of %s made is refused with instructions, and not changed',
    async (name) => {
      const db = open()
      const files = { ...baseline, '0002-widen.sql': 'alter table a add column more int;' }
      const { folder, write } = givenFolder(files)
      await migrate(db, { folder })
      const schema = await schemaOf(db)
      write('0003-fill.sql', 'insert into a values (1, 2);')
      write(name, 'create table b (id int);')
      const refusal = migrate(db, { folder })
      await expect(refusal).rejects.toBeInstanceOf(SchemaMismatch)
      await expect(refusal).rejects.toThrow(
        `made by another state of ${name} than this version has, and cannot be migrated. Start the version that made it, or set DATABASE_URL to an empty database.`,
      )
      expect(await schemaOf(db)).toEqual(schema)
      expect(await stepsIn(db)).toEqual(Object.keys(files))
    },
  )

  test('an error names file and line; the steps before it remain', async () => {
    const db = open()
    const { folder } = givenFolder({
      ...baseline,
      '0002-widen.sql': 'alter table a add column more int;\n\nalter table a add colum less int;',
    })
    await expect(migrate(db, { folder })).rejects.toThrow(/^0002-widen\.sql:3: .*"int"/)
    expect(await stepsIn(db)).toEqual(['0001-baseline.sql'])
    expect(await schemaOf(db)).not.toContainEqual(expect.objectContaining({ column_name: 'more' }))
  })

  test('[T095] an index is built outside a transaction while other processes wait to migrate', async () => {
    const db = open()
    const { folder, write } = givenFolder(baseline)
    await migrate(db, { folder })
    write(
      '0002-index.sql',
      '-- no transaction\ndrop index concurrently if exists a_id;\ncreate index concurrently a_id on a (id);\n',
    )
    const ran = await Promise.all(
      [db, open(), open(), open()].map((each) => migrate(each, { folder })),
    )
    expect(ran.flat()).toEqual(['0002-index.sql'])
    expect(await tableExists(db, 'a_id')).toBe(true)
  })

  test('[T095] no query queues behind a step that waits for a table', async () => {
    const db = open()
    const { folder, write } = givenFolder(baseline)
    await migrate(db, { folder })
    write('0002-widen.sql', 'alter table a add column more int;')
    const reader = open()
    const { migrated, seen } = await kyselyOf(reader)
      .transaction()
      .execute(async (tx) => {
        await sql`select * from a`.execute(tx)
        const running = migrate(db, { folder })
        await expect.poll(() => waitersFor(reader, 'a')).toBe('1')
        return { migrated: running, seen: await sql`select * from a`.execute(reader) }
      })
    expect(seen.rows).toEqual([])
    expect(await migrated).toEqual(['0002-widen.sql'])
  })

  test('a step is exempt from the service’s statement timeout, which applies again afterwards', async () => {
    const db = open({ statementTimeoutMs: 300 })
    const { folder } = givenFolder({ '0001-slow.sql': 'select pg_sleep(0.4);' })
    expect(await migrate(db, { folder })).toEqual(['0001-slow.sql'])
    await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toThrow(/statement timeout/)
  })
})
