import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  ArchiveError,
  archiveMonth,
  closeOpenFee,
  hasArchivedCycles,
  readCycles,
  restoreMonth,
  takeClaimable,
} from '../modules/earnings/index.ts'
import { allByEarning, allOfDay } from '../modules/earnings/lists/all-rewards.queries.ts'
import { readEarningFacts } from '../modules/earnings/lists/earning-facts.queries.ts'
import { findAllRewards } from '../modules/earnings/lists/find-all-rewards.ts'
import { findHolderRewards } from '../modules/earnings/lists/reward-rows.queries.ts'
import { historyQuery } from '../modules/reports/history/history.queries.ts'
import { addDays, type BusinessDay, startOfBusinessDay } from '../platform/clock.ts'
import { inTransaction, kyselyOf } from '../platform/database/db.ts'
import { createPlainDatabase, useTestDatabase, wipe } from '../testing/database.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { givenFundedPlan, givenStake, runDueDays, stakeDeps } from '../testing/stakes.ts'

/** The first cycle is that of 11 January. */
const START = '2026-01-10' as BusinessDay
const [JANUARY, FEBRUARY, MARCH] = ['2026-01-01', '2026-02-01', '2026-03-01'] as BusinessDay[]
const CLAIMER = Buffer.alloc(20, 1)
const SLEEPER = Buffer.alloc(20, 2)
const clock = new ManualClock('2026-01-10T03:00:00Z')
const database = useTestDatabase(20, createPlainDatabase)
let folder: string
const deps = () => stakeDeps({ db: database.db, clock })
const archive = (month: BusinessDay | undefined) =>
  archiveMonth(database.db, { month: month ?? JANUARY ?? START, folder, at: clock.now() })

afterEach(() => rmSync(folder, { recursive: true }))

/** 65 days: one holder claims on days 10 and 60, the other one on day 20 only. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dct-archive-'))
  await wipe(database.db)
  clock.set(new Date('2026-01-10T03:00:00Z'))
  const plan = await givenFundedPlan(deps(), { durationDays: 90 })
  for (const staker of [CLAIMER, SLEEPER]) await givenStake(deps(), { plan, staker })
  for (const [day, staker] of [
    [10, CLAIMER],
    [20, SLEEPER],
    [60, CLAIMER],
  ] as const) {
    await runThrough(day)
    await take(staker)
    await closeFee(staker)
  }
  await runThrough(65)
})

async function runThrough(day: number): Promise<void> {
  clock.set(startOfBusinessDay(addDays(START, day)))
  await runDueDays(deps())
}

const take = (staker: Buffer) =>
  inTransaction(database.db, (tx) =>
    takeClaimable(tx, { staker, planCode: 'PLAN-360', now: clock.now() }),
  )

const closeFee = (staker: Buffer) =>
  inTransaction(database.db, async (tx) => {
    const { id } = await database.db
      .selectFrom('earning')
      .select('id')
      .where('staker', '=', staker)
      .executeTakeFirstOrThrow()
    await closeOpenFee(tx, { earningId: id })
  })

const rowsOf = async (month: BusinessDay | undefined) =>
  (
    await sql`select * from reward_row
      where date_trunc('month', day::timestamp) = ${month}::date order by earning_id, day`.execute(
      database.db,
    )
  ).rows

/** Everything that shows past cycles. */
async function readEverything() {
  const { db } = database
  const hasArchived = await hasArchivedCycles(db)
  const scope = { search: { kind: 'all' }, range: {}, hasArchived } as const
  const page = { page: 2, limit: 30 } as const
  const history = (rewards: 'daily' | 'monthly') =>
    historyQuery(
      { userId: 1n, address: CLAIMER, range: {}, hasArchived, rewards, direction: 'asc' },
      { limit: 200 },
    ).execute(db)
  const run = async (query: ReturnType<typeof allOfDay>) =>
    (await kyselyOf(db).executeQuery(query)).rows
  const few = { kind: 'stakes', planCodes: ['PLAN-360'] } as const
  return {
    holder: await findHolderRewards(db, {
      ...{ staker: CLAIMER, page: 1, limit: 100, dctDecimals: 6, range: {}, search: '2026-01' },
      ...{ sort: 'reward_date', direction: 'asc' },
    }),
    byDate: await findAllRewards(db, scope, { ...page, sort: 'reward_date', direction: 'asc' }),
    byAmount: await findAllRewards(db, scope, { ...page, sort: 'locked_amount', direction: 'asc' }),
    searched: await findAllRewards(
      db,
      { ...scope, search: few },
      { ...page, sort: 'reward_date', direction: 'asc' },
    ),
    fileOfDay: await run(allOfDay(db, scope, addDays(START, 5))),
    file: await run(allByEarning(db, scope, { sort: 'locked_amount', direction: 'asc' })),
    cycles: await readCycles(db, { staker: CLAIMER, planCode: 'PLAN-360' }),
    facts: await readEarningFacts(db, [1n, 2n]),
    daily: (await history('daily')).rows,
    monthly: (await history('monthly')).rows,
  }
}

test('lists, files and histories read the same cycles from an archived month, and restoring it brings back the same rows', async () => {
  await sql`update reward_row set amount = 0, lapsed_amount = amount
    where earning_id = 1 and cycle in (5, 20, 21, 22)`.execute(database.db)
  const [before, january, february] = [
    await readEverything(),
    await rowsOf(JANUARY),
    await rowsOf(FEBRUARY),
  ]
  expect(before.daily.map(({ kind }) => kind)).toContain('reward_lapsed')
  expect(await archive(JANUARY)).toMatchObject({ rowCount: 41n })
  expect(await archive(FEBRUARY)).toMatchObject({ rowCount: 28n })
  expect((await rowsOf(JANUARY)).length + (await rowsOf(FEBRUARY)).length).toBe(
    january.length + february.length - 69,
  )
  expect(await readEverything()).toEqual(before)

  expect([await restoreMonth(database.db, JANUARY ?? START), await rowsOf(JANUARY)]).toEqual([
    1,
    january,
  ])
  expect([await restoreMonth(database.db, FEBRUARY ?? START), await rowsOf(FEBRUARY)]).toEqual([
    1,
    february,
  ])
  expect(await hasArchivedCycles(database.db)).toBe(false)
})

test('the planner inlines the function that finds archived cycles, so that they are read by their keys', async () => {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select r.day from earning e
    cross join lateral reward_rows(e.id, e.start_day + 1, e.start_day + e.cycles) r where e.id = 1`.execute(
    database.db,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('reward_span_pkey')
  expect(plan).not.toContain('Function Scan on reward_')
})

test('a month whose rows are being read is not archived, and nothing waits for long', async () => {
  const reader = await kyselyOf(database.db).startTransaction().execute()
  await sql`select count(*) from reward_row`.execute(reader)
  await expect(archive(JANUARY)).rejects.toThrow('Some rows are being read at the moment')
  await reader.rollback().execute()
  expect(readdirSync(folder)).toEqual([])
  expect(await archive(JANUARY)).toBeDefined()
})

test('the file contains every archived cycle, and cycles claimed later go to a second file', async () => {
  const before = await rowsOf(JANUARY)
  await archive(JANUARY)
  // The other holder’s cycle 21 is that of 31 January.
  expect(await rowsOf(JANUARY)).toMatchObject([{ earning_id: 2n, cycle: 21 }])
  expect(await archive(JANUARY)).toBeUndefined()
  await take(SLEEPER)
  expect(await archive(JANUARY), 'its claim may still be undone').toBeUndefined()
  await closeFee(SLEEPER)
  expect(await archive(JANUARY)).toMatchObject({ rowCount: 1n })
  expect(await rowsOf(JANUARY)).toEqual([])

  const names = readdirSync(folder).sort()
  expect(names).toEqual(['rewards-2026-01-2.csv.gz', 'rewards-2026-01.csv.gz'])
  const lines = names.toReversed().flatMap((name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trim()
      .split('\n')
      .slice(1),
  )
  expect(lines).toHaveLength(before.length)
  expect(lines[0]).toBe('1,2026-01-11,1,80000,')
  await restoreMonth(database.db, JANUARY ?? START)
  expect(await rowsOf(JANUARY)).toEqual(before)
})

test('a month that is not over is not archived', async () => {
  await expect(archive(MARCH)).rejects.toThrow(
    new ArchiveError('Some plans have not been run through 2026-03-31 yet.'),
  )
})

test('rows that do not follow from their stake are neither dropped nor left in a file', async () => {
  await sql`update reward_row set amount = amount + 1 where earning_id = 1 and cycle = 3`.execute(
    database.db,
  )
  const before = await rowsOf(JANUARY)
  await expect(archive(JANUARY)).rejects.toThrow(
    'Some rows do not match what follows from their stakes',
  )
  expect([await rowsOf(JANUARY), readdirSync(folder)]).toEqual([before, []])
})

test('an archive that no longer matches its file is not restored', async () => {
  await archive(JANUARY)
  await sql`update earning set reward = reward + 90 where id = 1`.execute(database.db)
  await expect(restoreMonth(database.db, JANUARY ?? START)).rejects.toThrow(
    'differs from the content of its file',
  )
  expect(await hasArchivedCycles(database.db)).toBe(true)
})
