import { type RawBuilder, sql } from 'kysely'
import { addDays, type BusinessDay, startOfBusinessDay } from '../../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import { type DistributionCursorTable, own } from '../earnings.tables.ts'

/** The business day through which the cycles of a plan's earnings have been run. */
export type PlanCursor = {
  planId: bigint
  planCode: string
  cycles: number
  throughDay: BusinessDay
}
export type DayTotals = { rowCount: bigint; credited: bigint; lapsed: bigint }

const LARGEST_BIGINT = 2n ** 63n - 1n

/** The plan whose cycles are furthest behind `today`; undefined if none is behind. */
export async function nextPlanToRun(
  db: DbOrTx,
  today: BusinessDay,
): Promise<PlanCursor | undefined> {
  const row = await own(db)
    .selectFrom('distribution_cursor')
    .select(['plan_id', 'plan_code', 'cycles', 'through_day'])
    .where('through_day', '<', today)
    .orderBy('through_day')
    .orderBy('plan_id')
    .limit(1)
    .executeTakeFirst()
  return row && toCursor(row)
}

/** The cursor of a plan's daily run; undefined before the plan's first stake. */
export async function readPlanCursor(db: DbOrTx, planId: bigint): Promise<PlanCursor | undefined> {
  const row = await own(db)
    .selectFrom('distribution_cursor')
    .select(['plan_id', 'plan_code', 'cycles', 'through_day'])
    .where('plan_id', '=', planId)
    .executeTakeFirst()
  return row && toCursor(row)
}

/**
 * The business day through which the cycles of all plans have been run, and when the last run was; undefined before the
 * first stake.
 */
export async function dailyRun(
  db: DbOrTx,
): Promise<{ throughDay: BusinessDay; ranAt: Date | null } | undefined> {
  const { throughDay, ranAt } = await own(db)
    .selectFrom('distribution_cursor')
    .select((eb) => [
      eb.fn.min<BusinessDay | null>('through_day').as('throughDay'),
      eb
        .selectFrom('distribution_day as d')
        .select('d.ran_at')
        .orderBy('d.day', 'desc')
        .limit(1)
        .as('ranAt'),
    ])
    .executeTakeFirstOrThrow()
  return throughDay === null ? undefined : { throughDay, ranAt }
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
  await own(tx)
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

/** Creates the monthly partitions of the day and of 31 days later, if they are missing. */
export async function ensureMonths(tx: Tx, day: BusinessDay): Promise<void> {
  await sql`select reward_row_ensure_month(${day}), reward_row_ensure_month(${addDays(day, 31)})`.execute(
    tx,
  )
}

/**
 * Writes one day's cycle for every running earning of a plan: credited, or lapsed if the earning has gone unclaimed for
 * too long. A single statement, however many earnings there are; their own rows are not updated. The arithmetic mirrors
 * `rewardOfCycles`, `countingCycles` and `creditedCyclesLeft` in @dct/rules; distribution-rule.test.ts verifies that
 * the two agree. Three shortcuts, which do not change the result, save nearly half of the statement's own work: exempt
 * days are only looked up for earnings that would lapse without them; amounts whose products fit into 64 bits (`small`,
 * the others are `large`) are calculated, kept and summed as 64-bit numbers; and the sums are those of the calculated
 * cycles, so that PostgreSQL does not return the written rows.
 */
export async function insertDayRows(
  tx: Tx,
  run: { planCode: string; cycles: number; day: BusinessDay; graceCycles: number },
): Promise<DayTotals> {
  const day = sql`${run.day}::date`
  const counting = sql`${day} - e.start_day - 1 - e.claimed_through - e.own_exempt_days`
  const limit = sql`e.freeze_limit + ${run.graceCycles}::integer`
  const largestFor64Bits = sql`${LARGEST_BIGINT / BigInt(run.cycles)}::numeric`
  const sumWhere = (condition: RawBuilder<unknown>) => sql`
    coalesce(sum(small) filter (where ${condition}), 0) + coalesce(sum(large) filter (where ${condition}), 0)`
  // Keeps the calculated cycles in memory until they are written and summed, instead of in a temporary file.
  await sql`set local work_mem = '128MB'`.execute(tx)
  const result = await sql<DayTotals>`
    with exempt as materialized (
      select coalesce(array_agg(x.day order by x.day), '{}') as days from exempt_day x where x.day < ${day}),
    due as materialized (
      select e.id, ${day} - e.start_day as cycle, upper_inf(e.lapsed) as is_lapsing,
        case when e.reward <= ${largestFor64Bits}
          then e.reward::bigint * (${day} - e.start_day) / e.cycles
            - e.reward::bigint * (${day} - e.start_day - 1) / e.cycles end as small,
        case when e.reward > ${largestFor64Bits}
          then div(e.reward * (${day} - e.start_day), e.cycles)
            - div(e.reward * (${day} - e.start_day - 1), e.cycles) end as large,
        ${counting} < ${limit} or ${counting}
          - (cardinality(x.days) - width_bucket(e.start_day + e.claimed_through, x.days)) < ${limit} as is_credited
      from earning e cross join exempt x
      where e.plan_code = ${run.planCode}
        and e.started_at >= ${startOfBusinessDay(addDays(run.day, -run.cycles))}
        and e.started_at < ${startOfBusinessDay(run.day)}),
    changed as (
      update earning e set lapsed = case when d.is_lapsing then e.lapsed - d.rest else e.lapsed + d.rest end
        from (
          select id, is_lapsing, int4multirange(int4range(cycle, null)) as rest
          from due where is_credited = is_lapsing) d
        where d.id = e.id),
    written as (
      insert into reward_row (earning_id, day, cycle, amount, lapsed_amount)
        select id, ${day}, cycle, case when is_credited then coalesce(small, large) else 0 end,
          case when not is_credited then coalesce(small, large) end
        from due)
    select count(*) as "rowCount", ${sumWhere(sql`is_credited`)} as credited,
      ${sumWhere(sql`not is_credited`)} as lapsed
    from due`.execute(tx)
  return result.rows[0] ?? { rowCount: 0n, credited: 0n, lapsed: 0n }
}

/** Records that a day was run and advances the plan's cursor to it. */
export async function insertDistributionDay(
  tx: Tx,
  run: { planId: bigint; day: BusinessDay; at: Date } & DayTotals,
): Promise<void> {
  await own(tx)
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
  await own(tx)
    .updateTable('distribution_cursor')
    .set({ through_day: run.day })
    .where('plan_id', '=', run.planId)
    .execute()
}
