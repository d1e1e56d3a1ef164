import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { addDays, type BusinessDay, firstOfNextMonth } from '../../../platform/clock.ts'
import { type Db, inTransaction, sqlState, type Tx } from '../../../platform/database/db.ts'
import { own } from '../earnings.tables.ts'
import { areHistoriesSpread } from '../spread-histories.ts'
import * as q from './archive.queries.ts'
import { ArchiveError } from './archive-error.ts'
import { csvOf, digestOf, digestOfFile, writeCompressed } from './archive-file.ts'

/** The SQLSTATE of a lock that could not be acquired in time. */
const LOCK_NOT_AVAILABLE = '55P03'

export type ArchivedCycles = q.CycleSums & { path: string; sha256: Buffer }

/**
 * Archives the cycles of a month that can no longer be claimed: writes them to a new compressed CSV file in the folder,
 * and replaces their rows by one row per span of days, from which lists, files and audits read exactly the same cycles.
 * All or nothing: before any row is dropped, the file is read back, and the cycles that follow from the spans are
 * compared with it byte by byte. Cycles that are not claimed yet remain, for a later archiving of the same month.
 * @param run.month its first day
 * @returns undefined if the month has no such cycles
 * @throws ArchiveError
 */
export async function archiveMonth(
  db: Db,
  run: { month: BusinessDay; folder: string; at: Date },
): Promise<ArchivedCycles | undefined> {
  return inTransaction(db, async (tx) => {
    await prepare(tx)
    await requireMonthIsOver(tx, run.month)
    if (!(await q.lockMonth(tx, run.month))) return undefined
    const sums = await q.divideMonth(tx, run.month)
    if (sums.rowCount === 0n) return undefined
    const path = join(run.folder, await nextFileName(tx, run.month))
    const sha256 = await writeCompressed(path, csvOf(q.movedRows(tx)))
    try {
      requireSame(
        sha256,
        await digestOfFile(path),
        `${path} does not contain what was written to it.`,
      )
      await replaceRows(tx, { ...run, ...sums, sha256 })
    } catch (error) {
      await rm(path)
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
      throw new ArchiveError('Some rows are being read at the moment. Please try again.')
    }
    return { ...sums, path, sha256 }
  })
}

async function replaceRows(
  tx: Tx,
  { month, at, sha256, ...sums }: { month: BusinessDay; at: Date; sha256: Buffer } & q.CycleSums,
): Promise<void> {
  const { id } = await own(tx)
    .insertInto('reward_archive')
    .values({
      ...{ month, row_count: sums.rowCount, credited: sums.credited, lapsed: sums.lapsed },
      ...{ sha256, archived_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await q.insertSpans(tx, id)
  const follows = await digestOf(csvOf(q.archivedRows(tx, id)))
  requireSame(
    sha256,
    follows,
    'Some rows do not match what follows from their stakes. Run npm run audit.',
  )
  await q.replaceMonth(tx, month)
}

/**
 * Restores a row for every archived cycle of a month. Its files remain.
 * @returns how many archives the month had
 * @throws ArchiveError if the cycles differ from those in the files
 */
export async function restoreMonth(db: Db, month: BusinessDay): Promise<number> {
  return inTransaction(db, async (tx) => {
    await prepare(tx)
    const archives = await own(tx)
      .selectFrom('reward_archive')
      .select(['id', 'sha256'])
      .where('month', '=', month)
      .orderBy('id')
      .execute()
    for (const { id, sha256 } of archives) {
      const follows = await digestOf(csvOf(q.archivedRows(tx, id)))
      requireSame(
        sha256,
        follows,
        `Archive ${id} differs from the content of its file. Run npm run audit.`,
      )
      await q.unpack(tx, id, month)
    }
    return archives.length
  })
}

/** Disables timeouts: the run may take long, and nothing waits for it. */
async function prepare(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  if (await areHistoriesSpread(tx)) {
    throw new ArchiveError('Histories on a cluster cannot be archived. Add nodes instead.')
  }
}

async function requireMonthIsOver(tx: Tx, month: BusinessDay): Promise<void> {
  const last = addDays(firstOfNextMonth(month), -1)
  const through = await q.runThrough(tx)
  if (through === null || through < last) {
    throw new ArchiveError(`Some plans have not been run through ${last} yet.`)
  }
}

/** `rewards-2026-03.csv.gz`, with a number if the month is archived again. */
async function nextFileName(tx: Tx, month: BusinessDay): Promise<string> {
  const { earlier } = await own(tx)
    .selectFrom('reward_archive')
    .select((eb) => eb.fn.countAll<bigint>().as('earlier'))
    .where('month', '=', month)
    .executeTakeFirstOrThrow()
  const number = earlier === 0n ? '' : `-${earlier + 1n}`
  return `rewards-${month.slice(0, 7)}${number}.csv.gz`
}

function requireSame(one: Buffer, other: Buffer, message: string): void {
  if (!one.equals(other)) throw new ArchiveError(message)
}
