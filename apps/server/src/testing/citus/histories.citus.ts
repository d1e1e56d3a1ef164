import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { placeHistories, requireHistories } from '../../main/histories.ts'
import { addDays, type BusinessDay, startOfBusinessDay } from '../../platform/clock.ts'
import { kyselyOf, openDatabase } from '../../platform/database/db.ts'
import { alignSnapshots } from '../../platform/database/distributed-tables.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { type AllTables, everything } from '../all-tables.ts'
import {
  createEmptyDatabase,
  createTestDatabase,
  someoneWaits,
  type TestDatabase,
} from '../database.ts'
import { ManualClock } from '../manual-clock.ts'
import { givenFundedPlan, givenStake, runDueDays, stakeDeps } from '../stakes.ts'

const START = '2026-01-30' as BusinessDay
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

async function givenPlain(): Promise<Kysely<AllTables>> {
  const empty = await createEmptyDatabase()
  const db = everything(openDatabase({ url: empty.url, maxConnections: 4 }))
  onTestFinished(async () => {
    await db.destroy()
    await empty.drop()
  })
  await migrate(db)
  return db
}

/** Three stakes whose rewards cross the end of a month. */
async function givenRewards(db: Kysely<AllTables>, days = 4): Promise<void> {
  const clock = new ManualClock(startOfBusinessDay(START))
  const deps = stakeDeps({ db, clock })
  const plan = await givenFundedPlan(deps)
  for (const byte of [1, 2, 3]) await givenStake(deps, { plan, staker: Buffer.alloc(20, byte) })
  clock.set(startOfBusinessDay(addDays(START, days)))
  await runDueDays(deps)
}

const rowsIn = (db: Kysely<AllTables>) =>
  db.selectFrom('reward_row').selectAll().orderBy('earning_id').orderBy('day').execute()

test('histories with rows are moved to the workers once, and the service starts only with the matching setting', async () => {
  const db = await givenPlain()
  await givenRewards(db)
  const before = await rowsIn(db)
  expect(before).toHaveLength(12)
  await requireHistories(db, 'plain')
  await expect(requireHistories(db, 'citus')).rejects.toThrow(/not spread yet: .*migrate\.ts/)

  const moves = await Promise.all([placeHistories(db, 'citus'), placeHistories(db, 'citus')])
  expect(moves.toSorted()).toEqual([false, true])
  expect(await rowsIn(db)).toEqual(before)
  await requireHistories(db, 'citus')
  await expect(requireHistories(db, 'plain')).rejects.toThrow('set HISTORIES=citus')
  const left = await sql<{ size: bigint }>`
    select sum(pg_relation_size(inhrelid)) as size from pg_inherits
    where inhparent = 'reward_row'::regclass`.execute(db)
  expect(left.rows).toEqual([{ size: 0n }])
})

test('rows of a month that began later are on the workers, in the shards of their earnings', async () => {
  const { db } = database
  await givenRewards(db)
  const { rows } = await sql<{ month: string; shards: bigint }>`
    select p.logicalrelid::text as month, count(*) as shards from pg_dist_shard p
    where p.logicalrelid::text like 'reward_row_2026%' group by 1 order by 1`.execute(db)
  const [january] = rows
  expect(rows.map(({ month }) => month)).toEqual([
    'reward_row_202601',
    'reward_row_202602',
    'reward_row_202603',
  ])
  expect(rows.every(({ shards }) => shards === january?.shards && shards > 1n)).toBe(true)
  const [first] = await rowsIn(db)
  const plan = await sql<{ 'QUERY PLAN': string }>`
    explain select from reward_row where earning_id = ${sql.lit(`${first?.earning_id}`)}`.execute(
    db,
  )
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Task Count: 1')
})

test('a consistent snapshot of all nodes waits for a run that is being booked, and does not see later ones', async () => {
  const { db } = database
  const day = '2026-02-20'
  const rowsOf = (tx: Parameters<typeof everything>[0]) =>
    everything(tx).selectFrom('reward_row').select('earning_id').where('day', '=', day).execute()
  const write = (earningId: number) =>
    sql`insert into reward_row (earning_id, day, cycle, amount) values (${earningId}, ${day}, 21, 1)`

  const running = await kyselyOf(db).startTransaction().execute()
  await write(1001).execute(running)
  const reading = await kyselyOf(db)
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  const aligned = alignSnapshots(db, reading)
  await someoneWaits(db)
  await running.commit().execute()
  await aligned
  for (let earningId = 1002; earningId < 1030; earningId += 1) await write(earningId).execute(db)
  expect(await rowsOf(reading)).toEqual([{ earning_id: 1001n }])
  await reading.rollback().execute()
  expect(await rowsOf(db)).toHaveLength(29)
})
