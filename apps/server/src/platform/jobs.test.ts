import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase, wipe } from '../testing/database.ts'
import { ManualClock } from './clock.ts'
import { inTransaction, type Tx } from './db.ts'
import { addJob, createWorker, dueJobs, type JobHandler, type NewJob } from './jobs.ts'
import { createLogger } from './logger.ts'

const NOON = new Date('2026-01-10T05:00:00Z')
const clock = new ManualClock(NOON)
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table done (key text not null)`.execute(database.db)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await wipe(database.db)
  clock.set(NOON)
})

const log = createLogger('silent')
const worker = (handlers: Record<string, JobHandler>) =>
  createWorker({ db: database.db, clock, log, handlers })
const later = (ms: number) => new Date(NOON.getTime() + ms)

async function given(...jobs: Partial<NewJob>[]) {
  await inTransaction(database.db, async (tx) => {
    for (const job of jobs) await addJob(tx, { queue: 'test', key: 'k', runAt: NOON, ...job })
  })
}

const note = (tx: Tx, key: string) => sql`insert into done values (${key})`.execute(tx)
const handle: JobHandler = async (tx, { key }) => {
  await note(tx, key)
  return undefined
}

async function doneKeys(): Promise<string[]> {
  const found = await sql<{ key: string }>`select key from done order by ctid`.execute(database.db)
  return found.rows.map(({ key }) => key)
}

const openJobs = () =>
  database.db.selectFrom('job').select(['dedupe_key', 'attempts', 'last_error', 'run_at']).execute()

/** Steps until the worker finds nothing more to do. */
async function drain(loop: { step(): Promise<boolean> }) {
  while (!(await loop.step()));
}

test('due jobs run oldest first, each once; those of later wait for their time', async () => {
  await given(
    { key: 'b', runAt: later(-1) },
    { key: 'a', runAt: later(-2) },
    { key: 'c', runAt: later(1_000) },
  )
  const loop = worker({ test: handle })
  await drain(loop)
  expect(await doneKeys()).toEqual(['a', 'b'])
  clock.set(later(1_000))
  await drain(loop)
  expect(await doneKeys()).toEqual(['a', 'b', 'c'])
  expect(await openJobs()).toEqual([])
})

test('a job that waits is not added twice; after its end its key is free again', async () => {
  await given({ payload: { which: 'first' } }, { payload: { which: 'second' } })
  await drain(worker({ test: handle }))
  await given({})
  await drain(worker({ test: handle }))
  expect(await doneKeys()).toEqual(['k', 'k'])
})

test('a job is made due with the business fact or not at all', async () => {
  const failed = inTransaction(database.db, async (tx) => {
    await addJob(tx, { queue: 'test', key: 'k', runAt: NOON })
    throw new Error('the business part failed')
  })
  await expect(failed).rejects.toThrow('the business part failed')
  expect(await openJobs()).toEqual([])
})

test('what a job wrote before it failed is not there; it is counted and tried again after a pause', async () => {
  let isBroken = true
  const loop = worker({
    test: async (tx, { key }) => {
      await note(tx, key)
      if (isBroken) throw new Error('broken')
      return undefined
    },
  })
  await given({})
  expect(await loop.step()).toBe(false)
  expect(await doneKeys()).toEqual([])
  expect(await openJobs()).toMatchObject([{ attempts: 1, last_error: 'Error: broken' }])
  expect(await loop.step()).toBe(true) // pauses: a broken job must not keep a core busy
  expect(await openJobs()).toMatchObject([{ attempts: 1 }])

  isBroken = false
  await expect.poll(() => loop.step().then(doneKeys), { timeout: 10_000 }).toEqual(['k'])
  expect(await openJobs()).toEqual([])
})

test('a job that fails does not keep the others waiting, not even with its transaction broken', async () => {
  await given({ key: 'bad', runAt: later(-1) }, { key: 'good' })
  await drain(
    worker({
      test: async (tx, job) => {
        if (job.key === 'bad') await sql`select 1 / 0`.execute(tx)
        return handle(tx, job)
      },
    }),
  )
  expect(await doneKeys()).toEqual(['good'])
  expect(await openJobs()).toMatchObject([{ dedupe_key: 'bad', attempts: 1 }])
})

test('a job that comes back waits until then, with its failures forgotten', async () => {
  await given({})
  await sql`update job set attempts = 3, last_error = 'x'`.execute(database.db)
  const loop = worker({
    test: async (tx, { key }) => {
      await note(tx, key)
      return { runAgainAt: new Date(clock.now().getTime() + 60_000) }
    },
  })
  await drain(loop)
  await drain(loop)
  expect(await doneKeys()).toEqual(['k'])
  expect(await openJobs()).toMatchObject([{ attempts: 0, last_error: null, run_at: later(60_000) }])
  clock.set(later(60_000))
  await drain(loop)
  expect(await doneKeys()).toEqual(['k', 'k'])
})

test('a worker leaves the queues that it does not know to others', async () => {
  await given({ queue: 'foreign' })
  await drain(worker({ test: handle }))
  expect(await openJobs()).toHaveLength(1)
  expect(await dueJobs(database.db, clock.now())).toEqual([
    { queue: 'foreign', due: 1n, attempts: 0 },
  ])
})

test('[T034] four workers at once do each of 200 jobs exactly once', async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `job ${index}`)
  await given(...keys.map((key) => ({ key })))
  await Promise.all([1, 2, 3, 4].map(() => drain(worker({ test: handle }))))
  // A worker that finds every job locked is idle for a moment; whoever holds them finishes them.
  await drain(worker({ test: handle }))
  expect((await doneKeys()).toSorted()).toEqual(keys.toSorted())
  expect(await openJobs()).toEqual([])
})

test('a job at which the process dies is done by another: what it wrote went with its connection', async () => {
  await given({})
  const { promise: reached, resolve: arrive } = Promise.withResolvers<number>()
  const { promise: never, reject: die } = Promise.withResolvers<undefined>()
  const dying = worker({
    test: async (tx, { key }) => {
      await note(tx, key)
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      arrive(own.rows[0]?.pid ?? 0)
      return never
    },
  }).step()
  const pid = await reached
  expect(await worker({ test: handle }).step()).toBe(true) // held by the first
  await sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.db)
  die(new Error('killed'))
  await dying
  await drain(worker({ test: handle }))
  expect(await doneKeys()).toEqual(['k'])
})
