import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { archiveMonth } from '../apps/server/src/modules/earnings/index.ts'
import {
  type BusinessDay,
  firstOfNextMonth,
  startOfBusinessDay,
} from '../apps/server/src/platform/clock.ts'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { bytes, ratio } from './figures.ts'
import type { Report } from './results.ts'
import { compareAll, type Spent } from './spent.ts'
import { type ListWorld, measureLists } from './time-lists.ts'

/** Archives every month of the year but the last one, and compares the size and the lists with those before. */
export async function benchArchive(
  db: Db,
  report: Report,
  of: { world: ListWorld; bytesOfRows: number; lists: Readonly<Record<string, Spent>> },
): Promise<void> {
  const { world, bytesOfRows, lists } = of
  const folder = mkdtempSync(join(tmpdir(), 'dct-bench-archive-'))
  try {
    let month = `${world.day.slice(0, 4)}-01-01` as BusinessDay
    while (firstOfNextMonth(month) <= world.day) {
      await archiveMonth(db, { month, folder, at: startOfBusinessDay(world.day) })
      month = firstOfNextMonth(month)
    }
    await sql`vacuum analyze reward_span`.execute(db)
    const files = readdirSync(folder).reduce(
      (sum, name) => sum + statSync(join(folder, name)).size,
      0,
    )
    const archived = await historyBytes(db)
    report('All months but the last one archived: bytes of a stake in 365 days', {
      before: bytes(bytesOfRows / world.stakes),
      after: bytes(archived / world.stakes),
      'after beside before': ratio(archived / bytesOfRows, { wanted: 'less', digits: 3 }),
      'in files': bytes(files / world.stakes),
    })
    const title = 'Lists and files with archived months beside those without'
    report(title, compareAll(await measureLists(db, world), lists))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The bytes of all cycles, archived or not. */
async function historyBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: bigint }>`
    select (pg_total_relation_size('reward_span')
      + (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'reward_row'::regclass))::bigint
      as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0n)
}
