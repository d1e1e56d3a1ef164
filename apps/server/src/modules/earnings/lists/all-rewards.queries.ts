import type { AdminRewardSort } from '@dct/api-contract/earnings'
import { type RawBuilder, sql } from 'kysely'
import { addDays, type BusinessDay, startOfBusinessDay } from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import { type DayRange, fromNearerEnd, reverseOf } from '../../../platform/http/lists.ts'
import { joinCycles } from './join-cycles.ts'
import { fitsStake, type ListScope } from './list-search.ts'
import { type RewardRecordRow, rewardRecords } from './reward-rows.queries.ts'
import { placeInDays } from './stake-records.queries.ts'

/**
 * All holders' cycles: billions of rows that nobody stores. Pages are found because a running earning has exactly one a
 * day: the day is found from the counts by day, the earnings from their own table, and only then are the page's few rows
 * computed.
 */
export type RewardsScope = ListScope & { range: DayRange }
export type DayCount = { day: BusinessDay; rowCount: number }
type Window = { offset: number; limit: number; direction: 'asc' | 'desc' }

/** The number of rows of each day, from `distribution_day`. Days without rows are left out. */
export async function countByDay(
  db: ReadDb,
  { plans, range }: RewardsScope,
  direction: 'asc' | 'desc',
): Promise<DayCount[]> {
  const { rows } = await sql<{ day: BusinessDay; rowCount: bigint }>`
    select day, sum(row_count) as "rowCount" from distribution_day
    where ${inRange(sql`day`, range)} and row_count > 0
      and ${ofPlans('distribution_day', plans)}
    group by day order by day ${sql.raw(direction)}`.execute(db)
  return rows.map(({ day, rowCount }) => ({ day, rowCount: Number(rowCount) }))
}

/** The same for the earnings that a search finds, all of which are read. */
export async function countFoundByDay(
  db: ReadDb,
  scope: RewardsScope,
  direction: 'asc' | 'desc',
): Promise<DayCount[]> {
  const { rows } = await sql<{ day: BusinessDay; rowCount: bigint }>`
    with span as materialized (
      select e.start_day + 1 as first, least(e.start_day + e.cycles, c.through_day) as last
      from earning e join distribution_cursor c on c.plan_id = e.plan_id
      where ${ofScope(scope)} and c.through_day > e.start_day),
    step as (
      select day, sum(change) as change
      from (select first as day, 1 as change from span union all select last + 1, -1 from span) changes
      group by day)
    select day, "rowCount" from (
      select each.day::date as day, sum(step.change) over (order by each.day) as "rowCount"
      from generate_series((select min(day) from step), (select max(day) from step), interval '1 day') each (day)
        left join step on step.day = each.day::date) counted
    where "rowCount" > 0 and ${inRange(sql`day`, scope.range)}
    order by day ${sql.raw(direction)}`.execute(db)
  return rows.map(({ day, rowCount }) => ({ day, rowCount: Number(rowCount) }))
}

/** The number of rows that a day has for the earnings in the scope. */
export async function countOfDay(
  db: ReadDb,
  scope: RewardsScope,
  day: BusinessDay,
): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from earning e join distribution_cursor c on c.plan_id = e.plan_id
    where ${ofScope(scope)} and ${runsOn(day)}`.execute(db)
  return Number(rows[0]?.count ?? 0n)
}

/**
 * Some rows of a day, ordered by the start of the stake. Unless the list is searched by address, the counts of stakes
 * by day show where to start reading.
 */
export async function rowsOfDay(
  db: ReadDb,
  scope: RewardsScope,
  day: BusinessDay,
  window: Omit<Window, 'direction'>,
): Promise<RewardRecordRow[]> {
  const isCounted = scope.search.kind === 'all' || scope.search.kind === 'plans'
  const { offset } = window
  const stakes = runningStakes(scope, day)
  const place = isCounted ? await placeInDays(db, { stakes, offset, direction: 'asc' }) : undefined
  const { rows } = await rewardRecords(sql`
    from (
      select e.* from earning e join distribution_cursor c on c.plan_id = e.plan_id
      where ${ofScope(scope)} and ${runsOn(day)}
        and e.started_at >= ${place === undefined ? '-infinity' : startOfBusinessDay(place.day)}
      order by e.started_at, e.tx_hash limit ${window.limit} offset ${place?.offset ?? offset}) e
    ${joinCycles({ from: day, to: day })}
    order by e.started_at, e.tx_hash offset 0`).execute(db)
  return rows
}

/** The number of stakes running on a day, by their start day. */
function runningStakes({ plans }: RewardsScope, day: BusinessDay) {
  return sql`
    select s.day, s.stakes from daily_stake_count s join distribution_cursor c on c.plan_id = s.plan_id
    where s.day < ${day}::date and s.day + c.cycles >= ${day}::date and c.through_day >= ${day}::date
      and ${ofPlans('s', plans)}`
}

/**
 * The number of rows of the earnings in the scope, calculated from the earnings alone; at most `most` earnings are
 * read.
 */
export async function countOfEarnings(
  db: ReadDb,
  scope: RewardsScope,
  most: number,
): Promise<{ total: number; isCapped: boolean }> {
  const { rows } = await sql<{ total: bigint; earnings: bigint }>`
    select coalesce(sum(count), 0) as total, count(*) as earnings from (
      select ${rowCount(scope)} as count
      from earning e join distribution_cursor c on c.plan_id = e.plan_id
      where ${ofScope(scope)} limit ${most + 1}) counted`.execute(db)
  const found = rows[0]
  return { total: Number(found?.total ?? 0n), isCapped: Number(found?.earnings ?? 0n) > most }
}

/** The number of rows of the earnings in the scope; undefined when there are more than `most` earnings. */
export async function countOfFew(
  db: ReadDb,
  scope: RewardsScope,
  most: number,
): Promise<number | undefined> {
  const { total, isCapped } = await countOfEarnings(db, scope, most)
  return isCapped ? undefined : total
}

const SORTS: Readonly<Record<AdminRewardSort, RawBuilder<unknown>>> = {
  reward_date: sql`r.day`,
  earning_plan_code: sql`e.plan_code`,
  tron_address: sql`e.staker`,
  locked_amount: sql`e.amount`,
}

/** Some rows of a few earnings, in any order. */
export async function rowsOfFew(
  db: ReadDb,
  scope: RewardsScope,
  window: Window & { sort: AdminRewardSort },
): Promise<RewardRecordRow[]> {
  const { rows } = await rewardRecords(sql`
    from earning e ${joinCycles(scope.range)}
    where ${ofScope(scope)}
    order by ${SORTS[window.sort]} ${sql.raw(window.direction)}, r.day desc, e.id
    limit ${window.limit} offset ${window.offset}`).execute(db)
  return rows
}

/** All rows of a day, ordered by the start of the stake. */
export function allOfDay(db: ReadDb, scope: RewardsScope, day: BusinessDay) {
  return rewardRecords(sql`
    from earning e ${joinCycles({ from: day, to: day })}
    where ${ofScope(scope)} and ${runsOn(day)}
    order by e.started_at, e.tx_hash offset 0`).compile(db)
}

/** All rows, grouped by earning, latest first within each. */
export function allByEarning(
  db: ReadDb,
  scope: RewardsScope,
  order: { sort: Exclude<AdminRewardSort, 'reward_date'>; direction: 'asc' | 'desc' },
) {
  return rewardRecords(sql`
    from earning e ${joinCycles(scope.range)}
    where ${ofScope(scope)}
    order by ${SORTS[order.sort]} ${sql.raw(order.direction)}, e.tx_hash, r.day desc offset 0`).compile(
    db,
  )
}

export type EarningShare = { id: bigint; before: bigint; count: number }
type EarningWindow = Window & { sort: Exclude<AdminRewardSort, 'reward_date'> }

/** The number of earnings read at first, plus an estimate; doubled while they do not fill the page. */
const FIRST_EARNINGS = 200

/**
 * The earnings whose rows a page shows, in the orders that keep an earning's rows together. Running totals of their row
 * counts find them: `before` is the number of rows of the earlier earnings. `rowsPerEarning` is an estimate of the rows
 * per earning.
 */
export async function earningsOfPage(
  db: ReadDb,
  scope: RewardsScope,
  window: EarningWindow & { rowsPerEarning: number },
): Promise<EarningShare[]> {
  const end = window.offset + window.limit
  const direction = sql.raw(window.direction)
  // The same order as the indexes.
  const second = window.sort === 'earning_plan_code' ? sql`, e.started_at ${direction}` : sql``
  const order = sql`${SORTS[window.sort]} ${direction}${second}, e.tx_hash ${direction}`
  const expected = Math.ceil((1.1 * end) / Math.max(1, window.rowsPerEarning))
  for (let most = FIRST_EARNINGS + expected; ; most *= 2) {
    const { rows } = await sql<EarningShare & { place: bigint }>`
      select id, through - count as before, count, place from (
        select id, count, row_number() over earlier as place, sum(count) over earlier as through
        from (
          select e.id, ${rowCount(scope)} as count
          from earning e join distribution_cursor c on c.plan_id = e.plan_id
          where ${ofScope(scope)}
          order by ${order} limit ${most}) ordered
        window earlier as (rows unbounded preceding)) placed
      where (count > 0 and through - count < ${end} and through > ${window.offset}) or place = ${most}
      order by place`.execute(db)
    const last = rows.at(-1)
    const isEnough =
      last === undefined || Number(last.place) < most || Number(last.before) + last.count >= end
    if (isEnough) return rows.filter((row) => isOnPage(row, window))
  }
}

/** The number of stakes, from the counts by day. */
export async function countStakes(db: ReadDb, { plans }: RewardsScope): Promise<number> {
  const { rows } = await sql<{ stakes: bigint }>`
    select coalesce(sum(s.stakes), 0) as stakes from daily_stake_count s where ${ofPlans('s', plans)}`.execute(
    db,
  )
  return Number(rows[0]?.stakes ?? 0n)
}

/**
 * Like `earningsOfPage` for the order by plan, without reading earlier earnings: stakes of a plan that began on the
 * same day have equally many rows, and the number of such stakes is stored.
 */
export async function earningsOfPageByPlan(
  db: ReadDb,
  { plans, range }: RewardsScope,
  window: Window,
): Promise<EarningShare[]> {
  const direction = sql.raw(window.direction)
  const { rows: days } = await sql<StakesOfDay>`
    select plan_code as "planCode", day, stakes, count, through - stakes * count as before from (
      select *, sum(stakes * count) over (order by plan_code ${direction}, day ${direction}) as through
      from (
        select c.plan_code, s.day, s.stakes, ${rowCountOf({ startDay: sql`s.day`, cycles: sql`c.cycles` }, range)} as count
        from daily_stake_count s join distribution_cursor c on c.plan_id = s.plan_id
        where ${ofPlans('s', plans)}) counted
      where count > 0) summed
    where through - stakes * count < ${window.offset + window.limit} and through > ${window.offset}
    order by through`.execute(db)
  const shares: EarningShare[] = []
  for (const day of days) shares.push(...(await sharesOfDay(db, day, window)))
  return shares
}

/** The stakes of one plan that began on one day: `count` rows each, after `before` rows of earlier stakes. */
type StakesOfDay = {
  planCode: string
  day: BusinessDay
  stakes: bigint
  count: number
  before: bigint
}

async function sharesOfDay(
  db: ReadDb,
  { planCode, day, stakes, count, before }: StakesOfDay,
  { offset, limit, direction }: Window,
): Promise<EarningShare[]> {
  const from = Math.floor(Math.max(0, offset - Number(before)) / count)
  const end = Math.min(Number(stakes), Math.ceil((offset + limit - Number(before)) / count))
  const part = fromNearerEnd({ offset: from, limit: end - from, total: Number(stakes) })
  const order = sql.raw(part.isReversed ? reverseOf(direction) : direction)
  const { rows } = await sql<{ id: bigint }>`
    select id from earning where plan_code = ${planCode}
      and started_at >= ${startOfBusinessDay(day)} and started_at < ${startOfBusinessDay(addDays(day, 1))}
    order by started_at ${order}, tx_hash ${order} limit ${part.limit} offset ${part.offset}`.execute(
    db,
  )
  if (part.isReversed) rows.reverse()
  return rows.map(({ id }, at) => ({
    id,
    before: before + BigInt((from + at) * count),
    count,
  }))
}

function isOnPage({ before, count }: EarningShare, { offset, limit }: Window): boolean {
  return count > 0 && Number(before) < offset + limit && Number(before) + count > offset
}

/** `take` rows of an earning, after skipping its latest `skip`. */
export async function rowsOfEarning(
  db: ReadDb,
  { range }: RewardsScope,
  part: { id: bigint; skip: number; take: number },
): Promise<RewardRecordRow[]> {
  const { rows } = await rewardRecords(sql`
    from earning e ${joinCycles(range)}
    where e.id = ${part.id}
    order by r.day desc limit ${part.take} offset ${part.skip}`).execute(db)
  return rows
}

function inRange(day: RawBuilder<unknown>, range: DayRange) {
  return sql`${day} >= ${range.from ?? '-infinity'}::date and ${day} <= ${range.to ?? 'infinity'}::date`
}

/** By the moment of the start, so that the planner expects as many rows as an index by start finds. */
function runsOn(day: BusinessDay) {
  return sql`e.started_at < ${startOfBusinessDay(day)} and e.start_day + e.cycles >= ${day}::date
    and c.through_day >= ${day}::date`
}

/** The number of an earning's cycles that were run on days in the range. */
function rowCount({ range }: RewardsScope) {
  return rowCountOf({ startDay: sql`e.start_day`, cycles: sql`e.cycles` }, range)
}

function rowCountOf(
  { startDay, cycles }: { startDay: RawBuilder<unknown>; cycles: RawBuilder<unknown> },
  range: DayRange,
) {
  return sql`greatest(0,
    least(${startDay} + ${cycles}, c.through_day, ${range.to ?? '9999-12-31'}::date)
      - greatest(${startDay} + 1, ${range.from ?? '0001-01-01'}::date) + 1)`
}

function ofPlans(table: string, plans: RewardsScope['plans']) {
  if (plans === undefined) return sql`true`
  return sql`${sql.ref(`${table}.plan_id`)} = any(${plans.map(({ id }) => id)}::bigint[])`
}

function ofScope({ search, plans }: RewardsScope) {
  const isOfPlans = ofPlans('e', plans)
  switch (search.kind) {
    case 'stakes':
      return sql`${isOfPlans} and ${fitsStake('e', search)}`
    case 'all':
    case 'plans':
      return isOfPlans
  }
}
