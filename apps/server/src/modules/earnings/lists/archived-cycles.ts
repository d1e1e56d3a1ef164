import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'

/** Whether any cycles are archived, for queries that read past cycles. Cycles still to be claimed never are. */
export async function hasArchivedCycles(db: ReadDb): Promise<boolean> {
  const { rows } = await sql<{ isAny: boolean }>`
    select exists (select from reward_archive) as "isAny"`.execute(db)
  return rows[0]?.isAny === true
}

/**
 * SQL that joins the cycles `r` of the earnings `e`, all or those of one day. Archived ones are found earning by
 * earning; if there are none, the planner may join in any order.
 */
export function joinCycles(hasArchived: boolean, day?: BusinessDay): RawBuilder<unknown> {
  const [from, to] =
    day === undefined
      ? [sql`e.start_day + 1`, sql`e.start_day + e.cycles`]
      : [sql`${day}::date`, sql`${day}::date`]
  return hasArchived
    ? sql`cross join lateral reward_rows(e.id, ${from}, ${to}) r`
    : sql`join reward_row r on r.earning_id = e.id and r.day between ${from} and ${to}`
}
