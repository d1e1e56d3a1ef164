import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { type Follower, type Pair, startFollower, startPair } from '../../testing/standby.ts'
import { inBatches } from '../database/batches.ts'
import {
  type Db,
  type DbOrTx,
  inSnapshot,
  openDatabase,
  type ReadDb,
  type Tx,
} from '../database/db.ts'
import { migrate } from '../database/migrate.ts'
import { createLogger } from '../logger.ts'
import { type Seen, START } from './position.ts'
import { askPrimary, askStandby, type Outcome, type Primary, Replica } from './replica.ts'

const MAX_AGE_MS = 10_000
const folder = mkdtempSync(join(tmpdir(), 'dct-replica-'))
let pair: Pair
let standby: Follower
/** A handle to the current primary. */
let primary: Db
let replica: Replica
let now = 0
const started: Follower[] = []

beforeAll(async () => {
  pair = await startPair(folder)
  standby = pair.standby
  primary = pair.primary.db
  await migrate(primary)
  await sql`create table note (text text not null)`.execute(primary)
})
afterAll(async () => {
  await replica?.close()
  await Promise.all(started.map((each) => each.stop()))
  await pair?.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await replica?.close()
  replica = replicaAt(standby.url)
  await replica.probe()
  await standby.resume()
  await sql`truncate note`.execute(primary)
  await write('old')
  await standby.caughtUp()
  await replica.probe()
})

const replicaAt = (url: string) =>
  new Replica({
    ...{ url, maxAgeMs: MAX_AGE_MS, monotonic: () => now },
    ...{ maxConnections: 4, statementTimeoutMs: 60_000, log: createLogger('silent') },
    get primary() {
      return primary
    },
  })
const write = (text: string) => sql`insert into note values (${text})`.execute(primary)
const reads = (seen: Seen = START, isShort = false) => replica.readsFor({ isShort, seen })
const NOTES = sql<{ text: string; from_standby: boolean }>`
  select text, pg_is_in_recovery() as from_standby from note order by text`
async function notes(db: ReadDb = reads()) {
  const { rows } = await NOTES.execute(db)
  return { texts: rows.map(({ text }) => text), fromStandby: rows[0]?.from_standby }
}
const counted = () =>
  Object.fromEntries([...replica.outcomes()].filter(([, count]) => count > 0)) as Partial<
    Record<Outcome, number>
  >

test('within the age limit the replica answers, even with outdated data', async () => {
  await standby.pause()
  await write('new')
  now += MAX_AGE_MS - 1
  await replica.probe()
  for (const isShort of [false, true]) {
    expect(await notes(reads(START, isShort))).toEqual({ texts: ['old'], fromStandby: true })
  }
  expect(counted()).toEqual({ replica: 2 })
  expect(replica.ageMs()).toBe(MAX_AGE_MS - 1)
})

test('beyond the age limit the primary answers, until the replica has caught up', async () => {
  await standby.pause()
  await write('new')
  await replica.probe()
  now += MAX_AGE_MS + 1
  await replica.probe()
  expect(await notes()).toEqual({ texts: ['new', 'old'], fromStandby: false })
  expect([replica.isUsable(), counted()]).toEqual([false, { behind: 1 }])
  await standby.resume()
  await standby.caughtUp()
  await replica.probe()
  expect(await notes()).toEqual({ texts: ['new', 'old'], fromStandby: true })
  expect(replica.ageMs()).toBe(0)
})

test('a replica that has not been compared with the primary within the age limit is not read', async () => {
  now += MAX_AGE_MS + 1
  expect((await notes()).fromStandby).toBe(false)
})

test('a replica stays fresh while nothing is written, however long', async () => {
  for (let hour = 0; hour < 3; hour += 1) {
    now += 3_600_000
    await replica.probe()
    expect((await notes()).fromStandby).toBe(true)
  }
})

test('a caller sees its own write immediately, while others may still be answered by the replica', async () => {
  await standby.pause()
  await write('mine')
  const seen = await askPrimary(primary)
  for (const isShort of [false, true]) {
    expect(await notes(reads(seen, isShort))).toEqual({
      texts: ['mine', 'old'],
      fromStandby: false,
    })
  }
  expect(await notes()).toEqual({ texts: ['old'], fromStandby: true })
  expect(counted()).toEqual({ own_write: 2, replica: 1 })
  await standby.resume()
  await standby.caughtUp()
  expect((await notes(reads(seen))).fromStandby).toBe(true)
})

test('a read that a conflict with the replay interrupts is repeated on the primary', async () => {
  const seen: unknown[] = []
  const found = await inSnapshot(reads(), async (tx) => {
    seen.push(await notes(tx))
    if (seen.length === 1) {
      // Replaying this cannot wait for readers of the table.
      await sql`truncate note`.execute(primary)
      await write('new')
      await standby.caughtUp()
    }
    return notes(tx)
  })
  expect(seen).toEqual([
    { texts: ['old'], fromStandby: true },
    { texts: ['new'], fromStandby: false },
  ])
  expect(found.texts).toEqual(['new'])
})

test('a read of a table that the replica does not have yet goes to the primary', async () => {
  await standby.pause()
  await sql`create table newer (text text)`.execute(primary)
  onTestFinished(async () => {
    await sql`drop table newer`.execute(primary)
  })
  expect((await sql`select from newer`.execute(reads())).rows).toEqual([])
  expect([replica.isUsable(), counted()]).toEqual([true, { conflict: 1 }])
})

test.each([
  ['08006', 'connection to the remote node failed'],
  ['XX000', 'server closed the connection unexpectedly'],
])('a replica that cannot reach a worker behind it (%s) stays in use', async (state, message) => {
  const reach = sql.raw(`
    do $$ begin
      if pg_is_in_recovery() then raise exception '${message}' using errcode = '${state}'; end if;
    end $$`)
  await reach.execute(reads())
  expect([replica.isUsable(), counted()]).toEqual([true, { conflict: 1 }])
  expect((await notes()).fromStandby).toBe(true)
})

test('a file that a conflict interrupts is started again on the primary, so that it shows one moment', async () => {
  await sql`insert into note select 'n' || n from generate_series(1, 1200) n`.execute(primary)
  await standby.caughtUp()
  let batches = 0
  const texts: string[] = []
  const files = inBatches(reads(), {
    queries: () => [sql<{ text: string }>`select text from note`.compile(primary as never)],
    async describe(_tx, rows) {
      batches += 1
      if (batches === 1) {
        await sql`truncate note`.execute(primary)
        await write('new')
        await standby.caughtUp()
      }
      return rows
    },
  })
  for await (const rows of files) texts.push(...rows.map(({ text }) => text))
  expect(texts).toEqual(['new'])
})

test('a file keeps its order, its types and all of its rows', async () => {
  const wanted = Array.from({ length: 1_201 }, (_, n) => ({ n: BigInt(n), day: '2026-01-31' }))
  const query = sql<(typeof wanted)[number]>`
    select n, date '2026-01-31' as day from generate_series(0::bigint, 1200) n order by n`
  const files = inBatches(reads(), {
    queries: () => [query.compile(primary as never)],
    describe: (_tx, rows) => rows,
  })
  const found = []
  for await (const rows of files) found.push(...rows)
  expect(found).toEqual(wanted)
  expect(counted()).toEqual({ replica: 1 })
})

test('an error in the statement itself is not retried', async () => {
  await expect(sql`select 1 / ${0}::int`.execute(reads())).rejects.toMatchObject({ code: '22012' })
  expect(counted()).toEqual({})
})

test('a server is not read if it is not a standby, belongs to another database, or has lagging workers behind it', async () => {
  const other = replicaAt(pair.primary.url)
  await other.probe()
  expect([other.isUsable(), other.ageMs()]).toEqual([false, undefined])
  await other.close()
  const ask = (db: Db, found: Primary) =>
    db.getExecutor().provideConnection((connection) => askStandby(connection, found))
  const found = await askPrimary(primary)
  await expect(ask(primary, found)).rejects.toThrow('not a standby')
  await expect(ask(standby.db, { ...found, system: '1' })).rejects.toThrow('another database')
  const lagging = openDatabase({
    url: `${standby.url}?options=-c%20citus.use_secondary_nodes%3Dalways`,
    maxConnections: 1,
  })
  onTestFinished(() => lagging.destroy())
  await expect(ask(lagging, found)).rejects.toThrow('standbys of the workers')
})

test('code that decides about money accepts no replica, and reads that may be old accept every handle', () => {
  expectTypeOf<ReadDb>().not.toExtend<DbOrTx>()
  expectTypeOf<ReadDb>().not.toExtend<Db>()
  expectTypeOf<ReadDb>().not.toExtend<Tx>()
  expectTypeOf<Db | Tx | DbOrTx>().toExtend<ReadDb>()
})

test('after a failover that lost commits, a replica that has them is not read until it is rebuilt', async () => {
  const successor = await startFollower(pair.primary, join(folder, 'successor'))
  started.push(successor)
  await successor.cutOff()
  await write('lost')
  await sql`insert into note select 'lost' from generate_series(1, 1000)`.execute(primary)
  await standby.caughtUp()
  await replica.probe()
  expect((await notes()).fromStandby).toBe(true)
  await pair.primary.stop()
  await successor.promote()
  primary = successor.db

  // Before any probe has noticed: the replica seems to have passed the position of a write made now.
  await write('mine')
  const seen = await askPrimary(primary)
  const mine = { texts: ['mine', 'old'], fromStandby: false }
  for (const isShort of [false, true]) expect(await notes(reads(seen, isShort))).toEqual(mine)
  await replica.probe()
  for (const isShort of [false, true]) expect(await notes(reads(START, isShort))).toEqual(mine)
  expect(counted()).toEqual({ replica: 1, behind: 2, down: 2 })
  await replica.close()
  replica = replicaAt(standby.url)
  for (const isBeyond of [false, true]) {
    if (isBeyond) await sql`select pg_switch_wal()`.execute(primary)
    await replica.probe()
    now += 1
    await replica.probe()
    expect([isBeyond, await notes()]).toEqual([isBeyond, mine])
  }

  const rebuilt = await startFollower(successor, join(folder, 'rebuilt'))
  started.push(rebuilt)
  await Promise.all([replica.close(), standby.stop()])
  standby = rebuilt
  replica = replicaAt(standby.url)
  await replica.probe()
  await standby.caughtUp()
  await replica.probe()
  expect(await notes()).toEqual({ ...mine, fromStandby: true })
})

test('no read fails because a replica hangs or is killed', async () => {
  const asleep = () =>
    sql<{ from_standby: boolean }>`
      select pg_is_in_recovery() as from_standby,
        case when pg_is_in_recovery() then pg_sleep(600) end`.execute(reads())
  const isAsleep = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where wait_event = 'PgSleep'`.execute(standby.db)
    return rows.length > 0
  }
  const hung = asleep()
  await expect.poll(isAsleep).toBe(true)
  process.kill(standby.pid, 'SIGSTOP')
  await replica.probe()
  process.kill(standby.pid, 'SIGCONT')
  expect((await hung).rows[0]?.from_standby).toBe(false)
  expect((await notes()).fromStandby).toBe(false)
  await replica.probe()
  expect((await notes()).fromStandby).toBe(true)

  const cut = asleep()
  await expect.poll(isAsleep).toBe(true)
  process.kill(standby.pid, 'SIGKILL')
  expect((await cut).rows[0]?.from_standby).toBe(false)
  await replica.probe()
  for (const isShort of [false, true]) {
    expect((await notes(reads(START, isShort))).fromStandby).toBe(false)
  }
  expect(replica.isUsable()).toBe(false)
})
