import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import { offsetOf, type Paging } from '../../platform/lists.ts'
import './statements.tables.ts'

export type ClosedDay = {
  day: string
  closedAt: Date
  /** The admin's address. */
  closedBy: Buffer
  differences: number
  content: string
  sha256: Buffer
}

/** A day that was closed; undefined for one that was not. */
export async function findClosedDay(db: DbOrTx, day: string): Promise<ClosedDay | undefined> {
  return db
    .selectFrom('daily_close as d')
    .innerJoin('app_user as a', 'a.id', 'd.closed_by')
    .select(['d.day', 'd.closed_at as closedAt', 'a.address as closedBy', 'd.differences'])
    .select(['d.content', 'd.sha256'])
    .where('d.day', '=', day)
    .executeTakeFirst()
}

/** Writes a closed day, once. False when it was closed before. */
export async function insertClosedDay(
  tx: Tx,
  close: { day: string; at: Date; adminId: bigint; differences: number; content: string },
): Promise<boolean> {
  const made = await tx
    .insertInto('daily_close')
    .values({
      day: close.day,
      closed_at: close.at,
      closed_by: close.adminId,
      differences: close.differences,
      content: close.content,
      sha256: sql<Buffer>`sha256(convert_to(${close.content}::text, 'UTF8'))`,
    })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** One page of the closed days. */
export async function listClosedDays(
  db: DbOrTx,
  query: Paging & { sort_order: 'asc' | 'desc'; from?: string; to?: string },
) {
  let days = db.selectFrom('daily_close as d')
  if (query.from !== undefined) days = days.where('d.day', '>=', query.from)
  if (query.to !== undefined) days = days.where('d.day', '<=', query.to)
  const rows = await days
    .innerJoin('app_user as a', 'a.id', 'd.closed_by')
    .select(['d.day', 'd.closed_at', 'd.differences', 'd.sha256', 'a.address'])
    .orderBy('d.day', query.sort_order)
    .offset(offsetOf(query))
    .limit(query.limit)
    .execute()
  const { total } = await days
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** Through which block each chain was read, and when that block was made. */
export async function readThrough(
  db: DbOrTx,
): Promise<ReadonlyMap<'TRON' | 'BSC', { number: bigint; at: Date }>> {
  const rows = await db
    .selectFrom('chain_cursor')
    .select(['chain', 'block_number', 'block_time'])
    .execute()
  return new Map(rows.map((row) => [row.chain, { number: row.block_number, at: row.block_time }]))
}
