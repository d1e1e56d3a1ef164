import { sql } from 'kysely'
import { reportTroubles } from './alarms/found-troubles.ts'
import { BLOCK_TOLERANCE_MS, CLOCK_TOLERANCE_MS, type Clock } from './clock.ts'
import type { Db } from './database/db.ts'
import { own } from './database/platform.tables.ts'
import type { Loop } from './loops/loop.ts'

const KIND = 'clock_skew'
const MEASURED_EVERY_MS = 10_000
const DOUBTED_EVERY_MS = 1_000

export type TimeGuard = {
  /** Whether what is written now would carry the right time. */
  isTrusted(): boolean
  /** Compares the clocks. */
  compare(): Promise<void>
  /** Does so regularly, and keeps an alarm while they differ. It alone may run while they do. */
  loop: Loop | undefined
}

type Deps = {
  db: Db
  /** Business time: the clock that is guarded. */
  clock: Clock
  realClock: Clock
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number
  /** When the newest final block was made. */
  readBlockTime(): Promise<Date>
  /** This machine, for the alarm. */
  host: string
}

type Measured = { databaseMs: number; atMs: number }

/**
 * Compares this process's clock with two others: the database's, and, after a start or a jump, which both may have made
 * together, the newest final block. While they differ nothing may be written, because times from a wrong clock outlive
 * its correction. Between two measurements a jump of this process's clock is seen at once.
 */
export function createTimeGuard(deps: Deps): TimeGuard {
  const { db, clock, monotonic } = deps
  let measured: Measured | undefined
  let doubt: string | undefined = 'The clocks have not been compared yet.'
  /** Whether time went on evenly since a moment at which it was right. */
  let isSteady = false
  const isTrusted = () => {
    if (doubt !== undefined || measured === undefined) return false
    const expectedMs = measured.databaseMs + monotonic() - measured.atMs
    return Math.abs(clock.now().getTime() - expectedMs) <= CLOCK_TOLERANCE_MS
  }
  const judge = async (): Promise<string | undefined> => {
    const atMs = monotonic()
    const databaseMs = await readDatabaseTime(db)
    const before = measured
    const aheadMs = clock.now().getTime() - databaseMs - (monotonic() - atMs)
    if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS) {
      isSteady = false
      return `The clock of ${deps.host} is ${describe(aheadMs)} of the database's clock.`
    }
    const jumpMs = before === undefined ? 0 : databaseMs - before.databaseMs - (atMs - before.atMs)
    if (Math.abs(jumpMs) > CLOCK_TOLERANCE_MS) isSteady = false
    if (!isSteady) {
      const differenceMs = databaseMs - (await deps.readBlockTime()).getTime()
      if (Math.abs(differenceMs) > BLOCK_TOLERANCE_MS)
        return `The clocks are ${describe(differenceMs)} of the newest final block.`
    }
    isSteady = true
    measured = { databaseMs, atMs }
    return undefined
  }
  const note = async () => {
    try {
      doubt = await judge()
    } catch (error) {
      // Whoever did not answer has an alarm of its own. What was true before still is.
      if (!isTrusted()) doubt = 'The clocks could not be compared.'
      throw error
    }
  }
  return {
    isTrusted,
    // A failure leaves a doubt, which the next comparison may end.
    compare: () => note().catch(() => undefined),
    loop: {
      name: 'clock',
      isDrained: false,
      runsAtAnyTime: true,
      pauseMs: MEASURED_EVERY_MS,
      async step() {
        await note()
        const message = `${doubt} ${CONSEQUENCE}`
        const found =
          doubt === undefined ? [] : [{ kind: KIND, subject: deps.host, message } as const]
        await reportTroubles(deps, { kinds: [KIND], found })
        if (doubt === undefined) return true
        await new Promise((resolve) => setTimeout(resolve, DOUBTED_EVERY_MS))
        return false
      },
    },
  }
}

const CONSEQUENCE = 'Calls are answered with 503 and nothing is done until they agree.'

function describe(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000)
  return `${seconds} seconds ${ms > 0 ? 'ahead' : 'behind'}`
}

/** For devnet, whose time can be moved, and for commands. */
export const UNGUARDED: TimeGuard = {
  isTrusted: () => true,
  compare: async () => undefined,
  loop: undefined,
}

/** The database's clock, moved like the business clock where that can be moved. */
async function readDatabaseTime(db: Db): Promise<number> {
  const { now, offset_ms } = await own(db)
    .selectFrom('business_clock')
    .select(['offset_ms', sql<Date>`clock_timestamp()`.as('now')])
    .executeTakeFirstOrThrow()
  return now.getTime() + Number(offset_ms)
}
