import { CompiledQuery } from 'kysely'
import { type Clock, msSince } from '../clock.ts'
import { type Db, openDatabase, type ReadDb } from '../database/db.ts'
import type { Logger } from '../logger.ts'

/** A replica whose data may be older than this is not read. */
export const MAX_AGE_MS = 60_000
/** A replica that does not answer a comparison within this time is down. */
const PATIENCE_MS = 2_000

type ReplicaOptions = {
  url: string
  maxConnections: number
  statementTimeoutMs: number
  realClock: Clock
  log: Logger
}

/** The database to read reports from, and how old its data may be. */
export type Reports = { db: ReadDb; ageMs: number }

/** A streaming copy of the primary, for reads that nothing is decided on: files, statistics, admins' histories. */
export class Replica {
  readonly #options: ReplicaOptions
  readonly #db: Db
  /** When the newest report of a process was written that the replica has replayed; undefined while it is down. */
  #upTo: Date | undefined

  /** Opens no connection before the first `probe`. The caller ends it with `close`. */
  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#db = openDatabase(options)
  }

  /** The replica, unless it is down or too old, as of the last `probe`. */
  reports(): Reports | undefined {
    const ageMs = this.ageMs()
    return ageMs !== undefined && ageMs <= MAX_AGE_MS ? { db: this.#db, ageMs } : undefined
  }

  /** The age of the replica's data at most; undefined while it is down. */
  ageMs(): number | undefined {
    return this.#upTo && msSince(this.#upTo, this.#options.realClock.now())
  }

  /** Looks how far the replica has come. Call it every few seconds. */
  async probe(): Promise<void> {
    try {
      const upTo = await within(PATIENCE_MS, newestReport(this.#db))
      if (this.#upTo === undefined) this.#options.log.info('replicaUsed')
      this.#upTo = upTo
    } catch (err) {
      if (this.#upTo !== undefined) this.#options.log.warn({ err }, 'replicaLost')
      this.#upTo = undefined
    }
  }

  async close(): Promise<void> {
    this.#upTo = undefined
    await this.#db.destroy()
  }
}

/** The server is not a copy that follows a primary of this service. */
export class NoStandby extends Error {
  override name = 'NoStandby'
}

/**
 * When the newest report was written that a standby has. Every process reports every few seconds (`loop-reports.ts`), so
 * this shows the age of a copy's data, also of a copy that follows a former primary or another database.
 * @throws NoStandby
 */
export async function newestReport(standby: Db): Promise<Date> {
  const { rows } = await standby
    .getExecutor()
    .executeQuery<{ isCopy: boolean; at: Date | null }>(
      CompiledQuery.raw(
        `select pg_is_in_recovery() as "isCopy", max(reported_at) as at from loop_report`,
      ),
    )
  const [found] = rows
  if (!found?.isCopy) throw new NoStandby('it is not a standby')
  if (found.at === null) throw new NoStandby('no process of this service reports to its primary')
  return found.at
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
