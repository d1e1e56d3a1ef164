import { sql } from 'kysely'
import { addDays, type BusinessDay, startOfBusinessDay } from '../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import type { DistributionCursorTable } from './earnings.tables.ts'

/** Through which business day the cycles of a plan's earnings were run. */
export type PlanCursor = {
  planId: bigint
  planCode: string
  cycles: number
  throughDay: BusinessDay
}
export type DayTotals = { rowCount: bigint; credited: bigint; lapsed: bigint }

/** The plan whose cycles are furthest behind `today`; undefined when none is. */
export async function nextPlanToRun(
  db: DbOrTx,
  today: BusinessDay,
): Promise<PlanCursor | undefined> {
  const row = await db
    .selectFrom('distribution_cursor')
    .select(['plan_id', 'plan_code', 'cycles', 'through_day'])
    .where('through_day', '<', today)
    .orderBy('through_day')
    .orderBy('plan_id')
    .limit(1)
    .executeTakeFirst()
  return row && toCursor(row)
}

/** Through which day a plan's cycles were run; undefined before the plan's first stake. */
export async function readPlanCursor(db: DbOrTx, planId: bigint): Promise<PlanCursor | undefined> {
  const row = await db
    .selectFrom('distribution_cursor')
    .select(['plan_id', 'plan_code', 'cycles', 'through_day'])
    .where('plan_id', '=', planId)
    .executeTakeFirst()
  return row && toCursor(row)
}

function toCursor(row: DistributionCursorTable): PlanCursor {
  return {
    planId: row.plan_id,
    planCode: row.plan_code,
    cycles: row.cycles,
    throughDay: row.through_day as BusinessDay,
  }
}

export async function insertPlanCursor(tx: Tx, cursor: PlanCursor): Promise<void> {
  await tx
    .insertInto('distribution_cursor')
    .values({
      plan_id: cursor.planId,
      plan_code: cursor.planCode,
      cycles: cursor.cycles,
      through_day: cursor.throughDay,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes the months of the day and of a month later, where they are missing. */
export async function ensureMonths(tx: Tx, day: BusinessDay): Promise<void> {
  await sql`select reward_row_ensure_month(${day}), reward_row_ensure_month(${addDays(day, 31)})`.execute(
    tx,
  )
}

/**
 * Writes the cycle of that day for every running earning of a plan: credited, or lapsed where nobody claimed for too
 * long. One statement, whatever the number of earnings; their own rows are not touched.
 */
export async function insertDayRows(
  tx: Tx,
  run: { planCode: string; cycles: number; day: BusinessDay; graceCycles: number },
): Promise<DayTotals> {
  const day = sql`${run.day}::date`
  // What was written is summed up in memory and not in a file beside it.
  await sql`set local work_mem = '128MB'`.execute(tx)
  const result = await sql<DayTotals>`
    with excused as materialized (
      select coalesce(array_agg(x.day order by x.day), '{}') as days from excused_day x where x.day < ${day}),
    due as (
      select e.id, ${day} - e.start_day as cycle,
        div(e.reward * (${day} - e.start_day), e.cycles)
          - div(e.reward * (${day} - e.start_day - 1), e.cycles) as amount,
        ${day} - e.start_day - 1 - e.claimed_through - e.own_excused
          - (cardinality(x.days) - width_bucket(e.start_day + e.claimed_through, x.days))
          < e.freeze_limit + ${run.graceCycles}::integer as is_credited
      from earning e cross join excused x
      where e.plan_code = ${run.planCode}
        and e.started_at >= ${startOfBusinessDay(addDays(run.day, -run.cycles))}
        and e.started_at < ${startOfBusinessDay(run.day)}),
    written as (
      insert into reward_row (earning_id, day, cycle, amount, lapsed_amount)
        select id, ${day}, cycle, case when is_credited then amount else 0 end,
          case when not is_credited then amount end
        from due
        returning amount, lapsed_amount)
    select count(*) as "rowCount", coalesce(sum(amount), 0) as credited,
      coalesce(sum(lapsed_amount), 0) as lapsed
    from written`.execute(tx)
  return result.rows[0] ?? { rowCount: 0n, credited: 0n, lapsed: 0n }
}

/** Notes that a day was run and moves the plan's cursor onto it. */
export async function insertDistributionDay(
  tx: Tx,
  run: { planId: bigint; day: BusinessDay; at: Date } & DayTotals,
): Promise<void> {
  await tx
    .insertInto('distribution_day')
    .values({
      plan_id: run.planId,
      day: run.day,
      ran_at: run.at,
      row_count: run.rowCount,
      credited: run.credited,
      lapsed: run.lapsed,
    })
    .execute()
  await tx
    .updateTable('distribution_cursor')
    .set({ through_day: run.day })
    .where('plan_id', '=', run.planId)
    .execute()
}
