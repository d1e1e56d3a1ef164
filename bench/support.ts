import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import { type Db, openDatabase } from '../apps/server/src/platform/db.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'

/** Prints a benchmark's figures as soon as they are known. */
export type Report = (title: string, figures: Readonly<Record<string, string>>) => void

export const printReport: Report = (title, figures) => {
  console.log(`\n${title}`)
  for (const [name, value] of Object.entries(figures))
    console.log(`  ${name.padEnd(40)} ${value.padStart(12)}`)
}

/** Measures how long some work takes, in milliseconds of real time. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** Runs some work on a temporary PostgreSQL with the product's settings (commits wait for the disk) and the current schema. */
export async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-bench-'))
  const postgres = await startPostgres({ dir })
  const db = openDatabase({ url: postgres.url, maxConnections: 20 })
  try {
    await migrate(db)
    await work(db)
  } finally {
    await db.destroy()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
