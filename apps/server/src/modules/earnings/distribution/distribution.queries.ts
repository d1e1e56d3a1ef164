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
/** `lapsedCount` of the `rowCount` cycles lapsed. Amounts are in base units. */
export type DayTotals = { rowCount: bigint; lapsedCount: bigint; credited: bigint; lapsed: bigint }

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

/** One day's cycles of a plan. */
type DayRun = {
  planCode: string
  cycles: number
  day: BusinessDay
  /** Whether the day is exempt for all earnings. */
  isExempt: boolean
  graceCycles: number
}

/**
 * Runs one day's cycle of every running earning of a plan: credited, or lapsed if the earning has gone unclaimed for too
 * long, unless the day is exempt. Reads all of them once, in parallel, each amount calculated once; then those few again
 * that have gone unclaimed for long or have lapsed before, and writes only those that begin to lapse, or no longer do. The
 * caller holds the plan's exclusive lock, without which nobody changes what lapsed. The arithmetic mirrors `rewardOfCycles`,
 * `countingCycles` and `creditedCyclesLeft` in @dct/rules; distribution-rule.test.ts verifies that the two agree. A
 * shortcut, which does not change the result: amounts whose products fit into 64 bits are calculated and summed as 64-bit
 * numbers.
 */
export async function runCycles(tx: Tx, run: DayRun): Promise<DayTotals> {
  const cycle = sql`(${run.day}::date - e.start_day)`
  const largestFor64Bits = sql`${LARGEST_BIGINT / BigInt(run.cycles)}::numeric`
  const isSmall = sql`e.reward <= ${largestFor64Bits}`
  const { rows } = await sql<{ rowCount: bigint; amount: bigint; doubtful: bigint }>`
    select count(*) as "rowCount", count(*) filter (where ${mayLapse(run)}) as doubtful,
      coalesce(sum(case when ${isSmall} then e.reward::bigint * ${cycle} / e.cycles
        - e.reward::bigint * (${cycle} - 1) / e.cycles end), 0)
      + coalesce(sum(case when not ${isSmall} then ${cycleAmount(cycle)} end), 0) as amount
    from earning e where ${isRunning(run)}`.execute(tx)
  const { rowCount, amount, doubtful } = rows[0] ?? { rowCount: 0n, amount: 0n, doubtful: 0n }
  const { lapsedCount, lapsed } =
    doubtful === 0n ? { lapsedCount: 0n, lapsed: 0n } : await lapseCycles(tx, run)
  return { rowCount, lapsedCount, credited: amount - lapsed, lapsed }
}

/** Finds which earnings lapse on the day, and notes those for which that begins or ends with it. */
async function lapseCycles(
  tx: Tx,
  run: DayRun,
): Promise<Pick<DayTotals, 'lapsedCount' | 'lapsed'>> {
  const day = sql`${run.day}::date`
  const cycle = sql`(${day} - e.start_day)`
  const days = sql`(select coalesce(array_agg(x.day order by x.day), '{}') from exempt_day x where x.day < ${day})`
  const exempt = sql`(cardinality(${days}) - width_bucket(e.start_day + e.claimed_through, ${days}))`
  const isExempt = sql`(e.own_exempt_days > 0 and exists (
    select from earning_exemption o where o.earning_id = e.id and o.day = ${day}))`
  const { rows } = await sql<{ lapsedCount: bigint; lapsed: bigint; turned: string | null }>`
    select count(*) filter (where is_lapsing) as "lapsedCount",
      coalesce(sum(amount) filter (where is_lapsing), 0) as lapsed,
      array_agg(id) filter (where is_lapsing <> was_lapsing)::text as turned
    from (
      select e.id, ${cycleAmount(cycle)} as amount, upper_inf(e.lapsed) as was_lapsing,
        not ${run.isExempt}::boolean and ${unclaimed(run)} - ${exempt} >= ${freezesAt(run)} and not ${isExempt} as is_lapsing
      from earning e where ${isRunning(run)} and (${mayLapse(run)})) doubtful`.execute(tx)
  const { turned, ...totals } = rows[0] ?? { lapsedCount: 0n, lapsed: 0n, turned: null }
  if (turned !== null) await turnLapse(tx, { earningIds: turned, cycle })
  return totals
}

const isRunning = ({ planCode, day, cycles }: DayRun) => sql<boolean>`
  e.plan_code = ${planCode} and e.started_at >= ${startOfBusinessDay(addDays(day, -cycles))}
    and e.started_at < ${startOfBusinessDay(day)}`

/** The cycles before the day that were not claimed and count towards freezing, but for the days exempt for all. */
const unclaimed = ({ day }: DayRun) =>
  sql<number>`(${day}::date - e.start_day - 1 - e.claimed_through - e.own_exempt_days)`

const freezesAt = ({ graceCycles }: DayRun) =>
  sql<number>`(e.freeze_limit + ${graceCycles}::integer)`

/** Whether the earning has lapsed before, or has gone unclaimed for so long that only exempt days can save its cycle. */
const mayLapse = (run: DayRun) =>
  sql<boolean>`${unclaimed(run)} >= ${freezesAt(run)} or e.lapsed <> '{}'`

const cycleAmount = (cycle: RawBuilder<unknown>) => sql<bigint>`(
  reward_through(e.reward, e.cycles, ${cycle}) - reward_through(e.reward, e.cycles, ${cycle} - 1))`

/** From that cycle on, lets earnings lapse that did not, and no longer those that did. */
async function turnLapse(
  tx: Tx,
  turn: { earningIds: string; cycle: RawBuilder<unknown> },
): Promise<void> {
  const rest = sql`int4multirange(int4range(${turn.cycle}, null))`
  await sql`
    update earning e set lapsed = case when upper_inf(e.lapsed) then e.lapsed - ${rest} else e.lapsed + ${rest} end
    from unnest(${turn.earningIds}::bigint[]) one (id) where e.id = one.id`.execute(tx)
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
      lapsed_count: run.lapsedCount,
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
