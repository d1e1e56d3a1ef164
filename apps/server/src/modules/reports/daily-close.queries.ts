import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { offsetOf, type Paging } from '../../platform/http/lists.ts'
import { own } from './reports.tables.ts'

export type ClosedDay = {
  day: string
  closedAt: Date
  /** The admin's address. */
  closedBy: Buffer
  differences: number
  content: string
  sha256: Buffer
}

/** A closed day; undefined if the day is not closed. */
export async function findClosedDay(db: DbOrTx, day: string): Promise<ClosedDay | undefined> {
  return own(db)
    .selectFrom('daily_close as d')
    .innerJoin('app_user_view as a', 'a.id', 'd.closed_by')
    .select(['d.day', 'd.closed_at as closedAt', 'a.address as closedBy', 'd.differences'])
    .select(['d.content', 'd.sha256'])
    .where('d.day', '=', day)
    .executeTakeFirst()
}

/** When the first event happened on either chain, and so the first day that has a statement. */
export async function firstEventAt(db: DbOrTx): Promise<Date | undefined> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(block_time) as first from chain_event_view`.execute(db)
  return rows[0]?.first ?? undefined
}

/** Stores a closed day. @returns false if it was already closed */
export async function insertClosedDay(
  tx: Tx,
  close: { day: string; at: Date; adminId: bigint; differences: number; content: string },
): Promise<boolean> {
  const made = await own(tx)
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
  let days = own(db).selectFrom('daily_close as d')
  if (query.from !== undefined) days = days.where('d.day', '>=', query.from)
  if (query.to !== undefined) days = days.where('d.day', '<=', query.to)
  const rows = await days
    .innerJoin('app_user_view as a', 'a.id', 'd.closed_by')
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
