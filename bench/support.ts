import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../apps/server/src/platform/database/db.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'
import {
  createDatabase,
  dropDatabase,
  serversBehind,
} from '../apps/server/src/testing/database-servers.ts'
import { type Figure, latency } from './figures.ts'

/** Measures how long some work takes, in milliseconds of real time. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * The latency of calls that took these times in milliseconds.
 * @param mostMs the p99 above which the figure is marked
 */
export function latencyOf(times: readonly number[], mostMs = Number.POSITIVE_INFINITY): Figure {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  return latency({ p50, p99 }, p99 > mostMs ? ` above ${mostMs}` : '')
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/**
 * Runs some work on a temporary PostgreSQL with the product's settings (commits wait for the disk) and the current
 * schema. With BENCH_DATABASE_URL it uses a new database on that server instead.
 */
export async function withDatabase(work: (db: Db, url: string) => Promise<void>): Promise<void> {
  const { url, remove } = await prepareDatabase(process.env.BENCH_DATABASE_URL)
  const db = openDatabase({ url, maxConnections: 20 })
  try {
    await migrate(db)
    await work(db, url)
  } finally {
    await db.destroy()
    await remove()
  }
}

async function prepareDatabase(outside: string | undefined) {
  if (outside === undefined) {
    const dir = mkdtempSync(join(tmpdir(), 'dct-bench-'))
    const postgres = await startPostgres({ dir })
    const remove = async () => {
      await postgres.stop()
      rmSync(dir, { recursive: true, force: true })
    }
    return { url: postgres.url, remove }
  }
  const servers = await serversBehind(outside)
  const name = `bench_${process.pid}`
  const url = await createDatabase(servers, name)
  const remove = () => dropDatabase(servers, name)
  return { url, remove }
}

/** Creates a table for the bare inserts that bookings are compared with. */
export async function createBareTable(db: Db): Promise<void> {
  await sql`create table bare (id bigint generated always as identity primary key, what text not null)`.execute(
    db,
  )
}
