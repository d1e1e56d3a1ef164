import type { ChildProcess } from 'node:child_process'
import { parseUnits } from '@dct/money'
import { sql } from 'kysely'
import { addUser } from '../apps/server/src/modules/auth/register.ts'
import { insertCursor } from '../apps/server/src/modules/chain/chain.queries.ts'
import { hexOf } from '../apps/server/src/modules/chain/index.ts'
import type { Plan } from '../apps/server/src/modules/plans/index.ts'
import { ensureMoneySetting } from '../apps/server/src/modules/pricing/index.ts'
import { type Db, inTransaction } from '../apps/server/src/platform/database/db.ts'
import { ManualClock } from '../apps/server/src/testing/manual-clock.ts'
import { givenFundedPlan, hashOf, passDays, stakeDeps } from '../apps/server/src/testing/stakes.ts'
import type { Done, Instruction, Order, Task } from './booking-process.ts'
import { addressOf, EVENTS_IN_RANGE, PLANS, type StepName } from './booking-steps.ts'
import { endChildren, messageFrom, startChild } from './children.ts'
import { bytes, count, duration, ratio, speed } from './figures.ts'
import { familySeconds, parentOf } from './processes.ts'
import type { Report } from './results.ts'
import { createBareTable, latencyOf, withDatabase } from './support.ts'

/** Concurrent transactions in each process. */
const AT_ONCE = 10
/** Keeps the users, plans and stakes of the runs in one database apart. */
const BETWEEN_RUNS = 10_000_000
const FUNDS = '1000000000'

/**
 * Benchmarks everything that moves money, from one process and from several, against single-statement transactions of
 * the same run: on separate rows, and all on one row, which is the most that bookings of one plan or one referrer could
 * reach.
 * @param options.size how often each kind is booked; rounded up, so that each third is a whole number of ranges
 */
export async function benchBookings(
  report: Report,
  options: { size: number; processes: readonly number[] },
): Promise<void> {
  await withDatabase(async (db, url) => {
    await createBareTable(db)
    await sql`insert into bare (what) values ('the row of all')`.execute(db)
    const clock = new ManualClock('2026-01-10T03:00:00Z')
    await ensureMoneySetting({ db, clock }, { name: 'price', value: parseUnits('1', 8) })
    await startCursors(db, clock)
    const third = Math.ceil(options.size / 3 / EVENTS_IN_RANGE) * EVENTS_IN_RANGE
    for (const [run, processes] of options.processes.entries()) {
      const world = await createWorld({ db, clock, third, base: run * BETWEEN_RUNS })
      await runSteps(report, { ...world, url, processes })
    }
  })
}

type World = { db: Db; clock: ManualClock; third: number; base: number; plans: readonly Plan[] }
type Run = World & { url: string; processes: number }

async function createWorld(empty: Omit<World, 'plans'>): Promise<World> {
  const { db, clock, base } = empty
  const plans: Plan[] = []
  for (let n = 0; n < PLANS; n += 1) {
    const facts = { code: `PLAN-${base}-${n}`, totalReward: FUNDS, dailyLimit: FUNDS }
    plans.push(await givenFundedPlan({ db, clock }, facts))
  }
  const first = { address: addressOf(base), email: 'bench@example.org', role: 'user' } as const
  await inTransaction(db, (tx) => addUser(tx, { ...first, referrer: undefined, at: clock.now() }))
  return { ...empty, plans }
}

async function startCursors(db: Db, clock: ManualClock): Promise<void> {
  const head = { number: 1n, hash: hexOf(hashOf('head')), time: clock.now() }
  const seen = { final: head, headNumber: 1n, observedAt: clock.now() }
  for (const chain of ['TRON', 'BSC'] as const) await insertCursor(db, { chain, at: head, seen })
}

async function runSteps(report: Report, run: Run): Promise<void> {
  const { db, clock, third, processes } = run
  const before = Number(await readDeadlocks(db))
  const workers = await startWorkers(run)
  try {
    const times = new Map<StepName, number>()
    for (const step of stepsOf(third)) {
      if (step.daysBefore !== undefined) {
        await passDays({ ...stakeDeps({ db, clock }), clock }, step.daysBefore)
      }
      const took = await measure(run, workers, step)
      const eachMs = took.ms / took.bookings
      times.set(step.name, eachMs)
      const limit = step.isContended ? CONTENDED : PLAIN
      report(`${step.name}: ${took.bookings} from ${processes} processes`, {
        'a second': speed(1_000 / eachMs),
        [`time, in ${limit}s`]: ratio(eachMs / (times.get(limit) ?? Number.NaN), {
          wanted: 'less',
        }),
        'statements each': count(took.statements / took.bookings, { wanted: 'less', digits: 1 }),
        'bytes of WAL each': bytes(took.walBytes / took.bookings),
        'processor time each, µs: processes': duration(took.processorUs),
        'processor time each, µs: PostgreSQL': duration(took.postgresUs),
        'p50 / p99, ms': latencyOf(took.each),
        'refused with 40P01': count(took.refused[DEADLOCK] ?? 0, { wanted: 'less' }),
        'refused in all': Object.entries(took.refused).flat().join(' ') || 'none',
      })
    }
  } finally {
    await endChildren(workers)
  }
  report(`deadlocks in all bookings from ${processes} processes`, {
    'counted by PostgreSQL': count(Number(await readDeadlocks(db)) - before, { wanted: 'less' }),
  })
}

const DEADLOCK = '40P01'
const PLAIN = 'bare transaction'
const CONTENDED = 'bare transaction, all on one row'

type StepToRun = {
  name: StepName
  numbers: number[]
  isContended: boolean
  /** The number of bookings of one call. */
  size?: number
  daysBefore?: number
}

function stepsOf(third: number): StepToRun[] {
  const all = range(1, 3 * third)
  const [first, second, last] = [
    range(1, third),
    range(third + 1, 2 * third),
    range(2 * third + 1, 3 * third),
  ]
  const ranges = { numbers: range(1, third / EVENTS_IN_RANGE), size: EVENTS_IN_RANGE }
  const own = { isContended: false }
  const one = { isContended: true }
  return [
    { name: 'bare transaction', numbers: all, ...own },
    { name: 'bare transaction, all on one row', numbers: all, ...one },
    { name: 'ledger booking', numbers: all, ...own },
    { name: 'registration, all below one', numbers: [...first, ...last], ...own },
    { name: 'registration, each below another', numbers: second, ...own },
    { name: 'stake, all in one plan', numbers: all, ...one },
    { name: 'stake, in nine plans', numbers: all, ...own },
    { name: 'stake, a hundred in a transaction, all in one plan', ...ranges, ...one },
    { name: 'claim, all in one plan', numbers: all, daysBefore: 10, ...own },
    { name: 'fee settlement, all below one referrer', numbers: first, ...one },
    { name: 'fee settlement, each below another', numbers: second, ...own },
    {
      name: 'fee settlement, a hundred in a transaction, all below one referrer',
      ...ranges,
      ...one,
    },
    {
      name: 'stake, claim and settlement at once, one plan, one referrer',
      ...{ numbers: first, size: 3, ...one },
    },
  ]
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

async function startWorkers({ url, plans, base, third, processes }: Run): Promise<ChildProcess[]> {
  const workers = Array.from({ length: processes }, () => startChild('booking-process.ts'))
  const start: Order = { url, plans, base, third }
  await sendAll(workers, () => ({ start }))
  return workers
}

async function measure(run: Run, workers: ChildProcess[], step: StepToRun) {
  const { name, numbers, size = 1 } = step
  await sendAll(workers, (at) => {
    const own = numbers.filter((_, place) => place % workers.length === at)
    const prepare: Task = {
      step: name,
      numbers: Uint32Array.from(own),
      atOnce: AT_ONCE,
      now: run.clock.now(),
    }
    return { prepare }
  })
  const before = await readServer(run.db)
  const start = performance.now()
  const done = (await sendAll(workers, () => ({ run: true }))) as Done[]
  const ms = performance.now() - start
  const after = await readServer(run.db)
  const bookings = numbers.length * size
  const sum = (read: (one: Done) => number) => done.reduce((all, one) => all + read(one), 0)
  const refused: Record<string, number> = {}
  for (const [state, times] of done.flatMap((one) => Object.entries(one.refused)))
    refused[state] = (refused[state] ?? 0) + times
  return {
    ...{ ms, bookings, refused },
    each: done.flatMap((one) => [...one.each]),
    statements: sum((one) => one.statements),
    walBytes: Number(after.wal - before.wal),
    processorUs: (sum((one) => one.processorSeconds) * 1e6) / bookings,
    postgresUs: ((after.seconds - before.seconds) * 1e6) / bookings,
  }
}

/** How much PostgreSQL has written to its log, and the processor time of all of its processes. */
async function readServer(db: Db) {
  const { rows } = await sql<{ wal: bigint; pid: number }>`
    select (pg_current_wal_insert_lsn() - '0/0')::bigint as wal, pg_backend_pid() as pid`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL reported no WAL position')
  return { ...row, seconds: familySeconds(parentOf(row.pid)) }
}

/** PostgreSQL's sessions report their counts when they end, at the latest. */
async function readDeadlocks(db: Db): Promise<bigint> {
  const { rows } = await sql<{ deadlocks: bigint }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.deadlocks ?? 0n
}

/** Sends each process its message, and waits for all answers. */
async function sendAll(
  workers: ChildProcess[],
  message: (at: number) => Instruction,
): Promise<unknown[]> {
  return Promise.all(
    workers.map(async (worker, at) => {
      const answer = messageFrom(worker)
      worker.send(message(at))
      return answer
    }),
  )
}
