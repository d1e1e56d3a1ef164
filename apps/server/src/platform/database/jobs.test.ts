import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createLogger } from '../logger.ts'
import { inTransaction, type Tx } from './db.ts'
import { addJob, createWorker, type JobHandler, type NewJob } from './jobs.ts'

const NOON = new Date('2026-01-10T05:00:00Z')
const clock = new ManualClock(NOON)
const database = useTestDatabase()

beforeAll(() => sql`create table done (key text not null)`.execute(database.db))
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
  database.db
    .selectFrom('job')
    .select(['queue', 'dedupe_key', 'attempts', 'last_error', 'run_at'])
    .execute()

/** Steps until the worker finds nothing more to do. */
async function drain(loop: { step(): Promise<boolean> }) {
  while (!(await loop.step()));
}

test('due jobs run oldest first, each once; later ones wait for their time', async () => {
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

test('a waiting job is not added twice; after it ends its key is free again', async () => {
  await given({ payload: { which: 'first' } }, { payload: { which: 'second' } })
  await drain(worker({ test: handle }))
  await given({})
  await drain(worker({ test: handle }))
  expect(await doneKeys()).toEqual(['k', 'k'])
})

test('a job is added together with the business fact or not at all', async () => {
  const failed = inTransaction(database.db, async (tx) => {
    await addJob(tx, { queue: 'test', key: 'k', runAt: NOON })
    throw new Error('the business part failed')
  })
  await expect(failed).rejects.toThrow('the business part failed')
  expect(await openJobs()).toEqual([])
})

test('writes of a failed job are rolled back; the failure is counted and the job retried after a pause', async () => {
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
  expect(await loop.step()).toBe(true) // pauses, so that a broken job does not occupy a core
  expect(await openJobs()).toMatchObject([{ attempts: 1 }])

  isBroken = false
  await expect.poll(() => loop.step().then(doneKeys), { timeout: 10_000 }).toEqual(['k'])
  expect(await openJobs()).toEqual([])
})

test('a failing job does not delay the others, even with its transaction aborted', async () => {
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

test('a recurring job waits until its next time, with its failures reset', async () => {
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

test('a worker ignores queues that it does not know', async () => {
  await given({ queue: 'foreign' })
  await drain(worker({ test: handle }))
  expect(await openJobs()).toMatchObject([{ queue: 'foreign', attempts: 0 }])
})

test('[T034] four concurrent workers run each of 200 jobs exactly once', async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `job ${index}`)
  await given(...keys.map((key) => ({ key })))
  await Promise.all([1, 2, 3, 4].map(() => drain(worker({ test: handle }))))
  // A worker that finds every job locked is briefly idle, but the other workers finish those jobs.
  await drain(worker({ test: handle }))
  expect((await doneKeys()).toSorted()).toEqual(keys.toSorted())
  expect(await openJobs()).toEqual([])
})

test('a job whose process dies is run by another one; its writes are rolled back with the connection', async () => {
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
  expect(await worker({ test: handle }).step()).toBe(true) // locked by the first
  await sql`select pg_terminate_backend(${pid}::integer, 5000)`.execute(database.db)
  die(new Error('killed'))
  await dying
  await drain(worker({ test: handle }))
  expect(await doneKeys()).toEqual(['k'])
})
