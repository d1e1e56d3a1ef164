import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type Db, type DbOrTx, inTransaction, openDatabase, sharedReads, sqlState } from './db.ts'

let database: TestDatabase
let own: Db
let reads: Db
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table counter (id int primary key, value int not null)`.execute(database.db)
  await sql`insert into counter values (1, 10), (2, 20)`.execute(database.db)
  own = openDatabase({ url: database.url, maxConnections: 2 })
  reads = sharedReads(own)
})
afterAll(async () => {
  await own?.destroy()
  await database?.drop()
})

const pidOf = async (db: DbOrTx) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
const counted = async (db: Db, id: number) =>
  (await sql<{ value: number }>`select value from counter where id = ${id}`.execute(db)).rows[0]
    ?.value

test('hundreds of concurrent reads share four connections, and each gets its own result', async () => {
  const numbers = Array.from({ length: 400 }, (_, n) => n)
  const answers = await Promise.all(
    numbers.map(async (n) => {
      const { rows } = await sql<{ n: number; pid: number }>`
        select ${n}::int as n, pg_backend_pid() as pid`.execute(reads)
      return rows[0]
    }),
  )
  expect(answers.map((answer) => answer?.n)).toEqual(numbers)
  expect(new Set(answers.map((answer) => answer?.pid)).size).toBeLessThanOrEqual(4)
})

test('a failed read does not affect the reads around it', async () => {
  const results = await Promise.allSettled([
    counted(reads, 1),
    sql`select 1 / ${0}::int`.execute(reads),
    counted(reads, 2),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await counted(reads, 2)).toBe(20)
})

test('writes, locks and transactions get separate connections', async () => {
  const shared = new Set([await pidOf(reads), await pidOf(reads)])
  const pidIn = (text: string) =>
    sql<{ pid: number }>`${sql.raw(text)}`.execute(reads).then(({ rows }) => rows[0]?.pid)
  expect(
    shared.has(
      await pidIn(
        'update counter set value = value where id = 1 returning pg_backend_pid() as pid',
      ),
    ),
  ).toBe(false)
  expect(shared.has(await pidIn('select pg_backend_pid() as pid from counter for update'))).toBe(
    false,
  )
  await inTransaction(reads, async (tx) => {
    expect(shared.has(await pidOf(tx))).toBe(false)
    await sql`update counter set value = 11 where id = 1`.execute(tx)
    expect(await counted(reads, 1)).toBe(10)
  })
  expect(await counted(reads, 1)).toBe(11)
})

test('reads continue after a column is added to their table', async () => {
  const read = () => sql`select * from counter where id = ${2}`.execute(reads)
  for (const _ of [1, 2, 3]) expect((await read()).rows).toEqual([{ id: 2, value: 20 }])
  await sql`alter table counter add column more int`.execute(database.db)
  expect((await read()).rows).toEqual([{ id: 2, value: 20, more: null }])
  await sql`alter table counter drop column more`.execute(database.db)
})

test('[T092] a shared connection that was cut is replaced by the next read', async () => {
  const pid = await pidOf(reads)
  await sql`select pg_terminate_backend(${pid}::integer, 5000)`.execute(database.db)
  await expect.poll(() => counted(reads, 2).catch(sqlState)).toBe(20)
})
