import { sql } from 'kysely'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { type Figure, ratio } from './figures.ts'
import { processorSeconds } from './processes.ts'

/**
 * What some work cost its database process, independent of other load on the machine: pages read or added, bytes of
 * WAL, and processor time (in steps of 10 ms, 0 where the system does not report it). `ms` is elapsed time.
 */
export type Spent = { ms: number; cpuMs: number; pages: number; walBytes: number }

/** Measures work on a database that was opened with a single connection. */
export async function spending(db: Db, work: () => Promise<unknown>): Promise<Spent> {
  const before = await counters(db)
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  const after = await counters(db)
  return {
    ms,
    cpuMs: after.cpuMs - before.cpuMs,
    pages: Number(after.pages - before.pages),
    walBytes: Number(after.wal - before.wal),
  }
}

export function sumOf(all: readonly Spent[]): Spent {
  const total = { ms: 0, cpuMs: 0, pages: 0, walBytes: 0 }
  for (const one of all) {
    total.ms += one.ms
    total.cpuMs += one.cpuMs
    total.pages += one.pages
    total.walBytes += one.walBytes
  }
  return total
}

/** A later figure as a multiple of an earlier one, which should stay at 1. */
export const timesAsMuch = (later: number, earlier: number) =>
  ratio(later / earlier, { wanted: 'less' })

/** Pages and processor time of some work as multiples of those of other work. */
export function compare(name: string, later: Spent, earlier: Spent): Record<string, Figure> {
  return {
    [`${name}: pages`]: timesAsMuch(later.pages, earlier.pages),
    [`${name}: processor time`]: timesAsMuch(later.cpuMs, earlier.cpuMs),
  }
}

/** Compares all work of the same name. */
export function compareAll(
  later: Readonly<Record<string, Spent>>,
  earlier: Readonly<Record<string, Spent>>,
): Record<string, Figure> {
  const figures: Record<string, Figure> = {}
  for (const [name, spent] of Object.entries(later)) {
    const other = earlier[name]
    if (other !== undefined) Object.assign(figures, compare(name, spent, other))
  }
  return figures
}

async function counters(db: Db): Promise<{ cpuMs: number; pages: bigint; wal: bigint }> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ pid: number; pages: bigint; wal: bigint }>`
    select pg_backend_pid() as pid, w.wal_bytes as wal,
      (select coalesce(sum(coalesce(hits, 0) + coalesce(reads, 0) + coalesce(extends, 0)), 0)
        from pg_stat_get_backend_io(pg_backend_pid())) as pages
    from pg_stat_get_backend_wal(pg_backend_pid()) w`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL has no counters for this connection')
  const seconds = processorSeconds([row.pid])
  return { cpuMs: Number.isNaN(seconds) ? 0 : seconds * 1_000, pages: row.pages, wal: row.wal }
}
