import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { addDays, type BusinessDay, firstOfNextMonth } from '../../../platform/clock.ts'
import { type Db, inTransaction, sqlState, type Tx } from '../../../platform/db.ts'
import { own } from '../earnings.tables.ts'
import { areHistoriesSpread } from '../spread-histories.ts'
import * as q from './archive.queries.ts'
import { ArchiveError } from './archive-error.ts'
import { csvOf, digestOf, digestOfFile, writeCompressed } from './archive-file.ts'

/** The SQLSTATE of a lock that could not be had in time. */
const LOCK_NOT_AVAILABLE = '55P03'

export type ArchivedCycles = q.CycleSums & { path: string; sha256: Buffer }

/**
 * Archives the cycles of a month that nobody can claim any more: writes them to a new compressed CSV file in the folder,
 * and replaces their rows by one for each span of days, from which lists, files and audits read exactly the same cycles. All or
 * nothing: the file is read back, and the cycles that follow from the spans are compared with it byte by byte, before any
 * row is dropped. Cycles that are not claimed yet stay as they are, for a later archiving of the same month.
 * @param run.month its first day
 * @returns undefined when the month has no such cycles
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
        `${path} cannot be read back as it was written.`,
      )
      await replaceRows(tx, { ...run, ...sums, sha256 })
    } catch (error) {
      await rm(path)
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
      throw new ArchiveError('Some rows are being read at the moment: please try again.')
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
  requireSame(sha256, follows, 'Some rows do not follow from their stakes: run npm run audit.')
  await q.replaceMonth(tx, month)
}

/**
 * Writes a row for every archived cycle of a month again. Its files stay.
 * @returns how many archives it had
 * @throws ArchiveError when the cycles are not those of the files
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
        `Archive ${id} is not what its file contains: run npm run audit.`,
      )
      await q.unpack(tx, id, month)
    }
    return archives.length
  })
}

/** However long it takes: nobody waits for it. */
async function prepare(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  if (await areHistoriesSpread(tx)) {
    throw new ArchiveError('Histories on a cluster are not archived: add nodes instead.')
  }
}

async function requireMonthIsOver(tx: Tx, month: BusinessDay): Promise<void> {
  const last = addDays(firstOfNextMonth(month), -1)
  const through = await q.runThrough(tx)
  if (through === null || through < last) {
    throw new ArchiveError(`Some plans have yet to be run through ${last}.`)
  }
}

/** `rewards-2026-03.csv.gz`, and with a number when the month is archived again. */
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
