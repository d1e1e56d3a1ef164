/**
 * Makes bookings as instructed by the process that forked it: one message prepares a step, the next one runs it. The
 * answer to a run contains the times of the bookings and counts the statements that PostgreSQL refused.
 */
import { once } from 'node:events'
import pg from 'pg'
import type { Plan } from '../apps/server/src/modules/plans/index.ts'
import { openDatabase, sqlState } from '../apps/server/src/platform/database/db.ts'
import { ManualClock } from '../apps/server/src/testing/manual-clock.ts'
import { bookingSteps, type Step, type StepName } from './booking-steps.ts'
import { timed } from './support.ts'

export type Order = { url: string; plans: readonly Plan[]; base: number; third: number }
export type Task = { step: StepName; numbers: Uint32Array; atOnce: number; now: Date }
export type Instruction = { start: Order } | { prepare: Task } | { run: true }
export type Done = {
  /** Milliseconds of each call. */
  each: Float64Array
  statements: number
  /** How many statements failed, by SQLSTATE. */
  refused: Readonly<Record<string, number>>
  processorSeconds: number
}

const counts = { statements: 0, refused: {} as Record<string, number> }
countStatements()
process.once('disconnect', () => process.exit())

const { start } = await nextMessage<{ start: Order }>()
const db = openDatabase({ url: start.url, maxConnections: 20 })
const clock = new ManualClock(new Date(0))
const steps: Readonly<Record<StepName, Step>> = bookingSteps({ ...start, db, clock })
process.send?.('ready')
while (true) {
  const { prepare } = await nextMessage<{ prepare: Task }>()
  clock.set(prepare.now)
  const step = steps[prepare.step]
  await step.prepare?.()
  process.send?.('ready')
  await nextMessage<{ run: true }>()
  process.send?.(await run(step, prepare))
}

async function nextMessage<T>(): Promise<T> {
  const [message] = await once(process, 'message')
  return message as T
}

async function run(step: Step, { numbers, atOnce }: Task): Promise<Done> {
  Object.assign(counts, { statements: 0, refused: {} })
  const before = process.cpuUsage()
  const each = new Float64Array(numbers.length)
  const rest = numbers.entries()
  const lane = async () => {
    // All lanes take their work from one iterator.
    for (const [at, n] of rest) each[at] = await timed(() => step.each(n))
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const { user, system } = process.cpuUsage(before)
  return { each, ...counts, processorSeconds: (user + system) / 1e6 }
}

/**
 * Counts the statements that the driver sends, and those that PostgreSQL refuses, even if a retry hides the failure.
 */
function countStatements(): void {
  const client = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const { query } = client
  client.query = function count(...args: unknown[]) {
    counts.statements += 1
    const answer = query.apply(this, args)
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        const state = sqlState(error) ?? 'no state'
        counts.refused[state] = (counts.refused[state] ?? 0) + 1
      })
    }
    return answer
  }
}
