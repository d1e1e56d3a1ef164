import { cleanText } from '@dct/rules/clean-text'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { DAY_MS } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Loop } from '../loops/loop.ts'
import type { Db, DbOrTx, Tx } from './db.ts'
import { inTransaction } from './db.ts'
import { own } from './platform.tables.ts'

/** `runAt` is business time. The key makes adding the same job twice harmless while the first waits. */
export type NewJob = { queue: string; key: string; payload?: Record<string, string>; runAt: Date }
export type Job = {
  id: bigint
  queue: string
  key: string
  payload: Record<string, string>
  attempts: number
}

/**
 * Does the job. Writes in `tx` commit together with the job's end. A recurring job returns the time of its next run;
 * one that throws is retried later, after a growing pause.
 */
export type JobHandler = (tx: Tx, job: Job) => Promise<{ runAgainAt: Date } | undefined>

/**
 * Adds a job in the business transaction that makes it due. If the same job waits for a later time, it becomes due at
 * the earlier one: a clock that was ahead for a moment may have put it off by years.
 */
export async function addJob(tx: Tx, job: NewJob): Promise<void> {
  await own(tx)
    .insertInto('job')
    .values({
      queue: job.queue,
      dedupe_key: job.key,
      payload: job.payload ?? {},
      run_at: job.runAt,
    })
    .onConflict((conflict) =>
      conflict
        .constraint('job_once')
        .doUpdateSet({ run_at: sql<Date>`least(job.run_at, excluded.run_at)` })
        .where('job.run_at', '>', job.runAt),
    )
    .execute()
}

export type WorkerDeps = {
  db: Db
  clock: Clock
  log: Logger
  handlers: Readonly<Record<string, JobHandler>>
}

const MAX_PAUSE_MS = 5 * 60_000
const LONGEST_JOB_MS = 10 * 60_000

/** Runs due jobs one by one, oldest first. Several workers may run against one database. */
export function createWorker({ db, clock, log, handlers }: WorkerDeps): Loop {
  const queues = Object.keys(handlers)
  /** Failed jobs wait in real time, so that time travel does not hammer a broken one. */
  const waiting = new Map<bigint, number>()
  return {
    name: 'jobs',
    mayTakeMs: LONGEST_JOB_MS,
    async step() {
      const skipped = [...waiting]
        .filter(([, until]) => until > performance.now())
        .map(([id]) => id)
      const found = await takeOne({ db, now: clock.now(), queues, skipped, handlers })
      if (found === undefined) return true
      if (found.error === undefined) {
        waiting.delete(found.job.id)
        return false
      }
      const attempts = found.job.attempts + 1
      waiting.set(
        found.job.id,
        performance.now() + Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(attempts, 10)),
      )
      log.error(
        { err: found.error, queue: found.job.queue, key: found.job.key, attempts },
        'job failed',
      )
      await recordFailure(db, found.job.id, found.error)
      return false
    },
  }
}

type Turn = {
  db: Db
  now: Date
  queues: readonly string[]
  skipped: readonly bigint[]
  handlers: Readonly<Record<string, JobHandler>>
}

async function takeOne(turn: Turn): Promise<{ job: Job; error?: unknown } | undefined> {
  // This query is cheaper than a transaction, and nearly always finds nothing.
  if ((await nextDue(turn.db, turn).select('id').executeTakeFirst()) === undefined) return undefined
  let taken: Job | undefined
  try {
    return await inTransaction(turn.db, async (tx) => {
      taken = await lockNext(tx, turn)
      if (taken === undefined) return undefined
      const again = await turn.handlers[taken.queue]?.(tx, taken)
      if (again === undefined) await own(tx).deleteFrom('job').where('id', '=', taken.id).execute()
      else {
        await own(tx)
          .updateTable('job')
          .set({ run_at: again.runAgainAt, attempts: 0, last_error: null })
          .where('id', '=', taken.id)
          .execute()
      }
      return { job: taken }
    })
  } catch (error) {
    if (taken === undefined) throw error
    return { job: taken, error }
  }
}

/** No job is put off by more than this. One that is was put off while a clock was wrong, and is due. */
const longestWait = (now: Date) => new Date(now.getTime() + 8 * DAY_MS)

/** The job that has been due for longest. */
function nextDue(db: DbOrTx, { now, queues, skipped }: Turn) {
  const due = own(db)
    .selectFrom('job')
    .where(({ or, eb }) => or([eb('run_at', '<=', now), eb('run_at', '>', longestWait(now))]))
    .where('queue', 'in', queues)
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
  return skipped.length === 0 ? due : due.where('id', 'not in', skipped)
}

async function lockNext(tx: Tx, turn: Turn): Promise<Job | undefined> {
  const row = await nextDue(tx, turn)
    .select(['id', 'queue', 'dedupe_key', 'payload', 'attempts'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    id: row.id,
    queue: row.queue,
    key: row.dedupe_key,
    payload: row.payload,
    attempts: row.attempts,
  }
}

async function recordFailure(db: Db, id: bigint, error: unknown): Promise<void> {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  await own(db)
    .updateTable('job')
    .set({ attempts: sql<number>`attempts + 1`, last_error: cleanText(text, 1_000) })
    .where('id', '=', id)
    .execute()
}

/** Every queue with its number of waiting and due jobs, and the last error of the job that failed most often. */
export async function jobQueues(db: Db, now: Date) {
  return own(db)
    .selectFrom('job')
    .select((eb) => [
      'queue',
      eb.fn.countAll<bigint>().as('waiting'),
      eb.fn.countAll<bigint>().filterWhere('run_at', '<=', now).as('due'),
      eb.fn.min('run_at').as('next_at'),
      eb.fn.max('attempts').as('attempts'),
      sql<string | null>`(array_agg(last_error order by attempts desc))[1]`.as('last_error'),
    ])
    .groupBy('queue')
    .orderBy('queue')
    .execute()
}
