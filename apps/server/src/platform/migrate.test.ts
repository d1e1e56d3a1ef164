import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { type Db, openDatabase } from './db.ts'
import { migrate } from './migrate.ts'

const NAME = `migrate_${process.pid}`
const opened: Db[] = []

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}

function open(maxConnections = 2): Db {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${NAME}`
  const db = openDatabase({ url: url.href, maxConnections })
  opened.push(db)
  return db
}

const closeAll = () => Promise.all(opened.splice(0).map((db) => db.destroy()))

beforeEach(async () => {
  await closeAll()
  await administer(`drop database if exists ${NAME} with (force)`)
  await administer(`create database ${NAME}`)
})
afterAll(async () => {
  await closeAll()
  await administer(`drop database if exists ${NAME} with (force)`)
})

async function stepsIn(db: Db): Promise<string[]> {
  const found = await sql<{ name: string }>`select name from migration order by name`.execute(db)
  return found.rows.map(({ name }) => name)
}

/** Every column of every table, and every constraint: what a schema is. */
async function schemaOf(db: Db): Promise<unknown[]> {
  const columns = await sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by 1, 2`.execute(db)
  const constraints = await sql`
    select conrelid::regclass::text as on, conname, pg_get_constraintdef(oid) as says from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`.execute(db)
  return [...columns.rows, ...constraints.rows]
}

test('an empty database gets every step in order; a second run changes nothing', async () => {
  const db = open()
  const ran = await migrate(db)
  expect(ran[0]).toMatch(/^0001-/)
  expect(ran).toEqual(ran.toSorted())
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
  await sql`insert into migration (name) values ('9999-tomorrow.ts')`.execute(db)
  const schema = await schemaOf(db)
  await expect(migrate(db)).rejects.toThrow(/newer version \(it knows 9999-tomorrow\.ts\)/)
  expect(await schemaOf(db)).toEqual(schema)
  await sql`delete from migration where name = '9999-tomorrow.ts'`.execute(db)
  expect(await migrate(db)).toEqual([]) // the lock was given back
})

test('[T095] a step that fails leaves nothing behind, and runs at the next start', async () => {
  const db = open()
  await sql`create table plan_day (in_the_way int)`.execute(db)
  await expect(migrate(db)).rejects.toThrow(/plan_day/)
  const before = await stepsIn(db)
  expect(before.some((name) => name.includes('plans'))).toBe(false)
  const left = await sql`select to_regclass('earning_plan') as name`.execute(db)
  expect(left.rows).toEqual([{ name: null }])
  await sql`drop table plan_day`.execute(db)
  const ran = await migrate(db)
  expect([...before, ...ran]).toEqual(await stepsIn(db))
})
