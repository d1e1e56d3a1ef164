import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import {
  cappedTotal,
  type DayRange,
  fromNearerEnd,
  instantsOf,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  reverseOf,
  type Stretch,
} from '../../../platform/http/lists.ts'
import { own, type StakeRecordView, type StakeState } from '../earnings.tables.ts'
import { fitsStake, type ListScope } from './list-search.ts'

export type StakeRecord = StakeRecordView

export type RecordFilter = ListScope & {
  staker?: Buffer
  txHash?: Buffer
  range?: DayRange
  /** Only stakes that are booked. */
  isBooked?: boolean
  isRegistered?: boolean
  /** Leaves out failed joins if the holder has a later one in the same plan, or one that has not failed. */
  isCurrent?: boolean
}

export type RecordOrder = {
  by: RawBuilder<unknown>
  /** A second column before the hash, where an index has one. */
  second?: RawBuilder<unknown>
  /** Whether `by` is the start date, for which there are counts by day. */
  isByStart?: boolean
  /**
   * Whether `by` is a boolean. In ascending order the rows for which it is false come first; each part is ordered by
   * hash.
   */
  isDivided?: boolean
  direction: 'asc' | 'desc'
}

/**
 * One page of stakes. Unless they are few, it finds their keys first and reads the full rows afterwards, so that skipping
 * and sorting only touch narrow rows.
 */
export async function findRecords(
  db: ReadDb,
  filter: RecordFilter,
  page: Paging & { order: RecordOrder },
): Promise<StakeRecord[]> {
  if (isOfOne(filter)) {
    return orderedRecords(db, filter, page.order).offset(offsetOf(page)).limit(page.limit).execute()
  }
  const { offset, limit, isReversed } = await stretchOf(db, filter, page)
  const { direction } = page.order
  const order = { ...page.order, direction: isReversed ? reverseOf(direction) : direction }
  const keys =
    order.isDivided === true
      ? await dividedKeys(db, filter, { offset, limit, order })
      : await orderedKeys(db, filter, { offset, limit, order })
  const records = await recordsOf(db, filter, keys)
  return isReversed ? records.reverse() : records
}

/** Whether all that match are stakes of one holder, or of one transaction. */
const isOfOne = ({ staker, txHash }: RecordFilter) => staker !== undefined || txHash !== undefined

type Part = { offset: number; limit: number; order: RecordOrder }
type RecordKey = Pick<StakeRecord, 'earning_id' | 'tx_hash'>

async function orderedKeys(
  db: ReadDb,
  filter: RecordFilter,
  { offset, limit, order }: Part,
): Promise<RecordKey[]> {
  const start = await skipDays(db, filter, { offset, order })
  if (start === undefined) return []
  return inOrder(matching(db, { ...filter, range: start.range }), order)
    .select(['s.earning_id', 's.tx_hash'])
    .offset(start.offset)
    .limit(limit)
    .execute()
}

/** Counts the first part only if the page reaches beyond it. */
async function dividedKeys(
  db: ReadDb,
  filter: RecordFilter,
  { offset, limit, order }: Part,
): Promise<RecordKey[]> {
  const isLater = sql<boolean>`${order.by}`
  const isEarlier = sql<boolean>`not ${order.by}`
  const [first, second] = order.direction === 'asc' ? [isEarlier, isLater] : [isLater, isEarlier]
  const keysOf = (part: RawBuilder<boolean>, window: { offset: number; limit: number }) =>
    matching(db, filter)
      .where(part)
      .select(['s.earning_id', 's.tx_hash'])
      .orderBy('s.tx_hash', order.direction)
      .offset(window.offset)
      .limit(window.limit)
      .execute()
  const keys = await keysOf(first, { offset, limit })
  if (keys.length === limit) return keys
  const { count } = await matching(db, filter)
    .where(first)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  const rest = { offset: Math.max(0, offset - Number(count)), limit: limit - keys.length }
  return [...keys, ...(await keysOf(second, rest))]
}

/** Joins that are not booked have no id, so those with the same hash share a key. */
async function recordsOf(
  db: ReadDb,
  filter: RecordFilter,
  keys: readonly RecordKey[],
): Promise<StakeRecord[]> {
  if (keys.length === 0) return []
  const ids = keys.flatMap(({ earning_id: id }) => id ?? [])
  const hashes = keys.flatMap((key) => (key.earning_id === null ? [key.tx_hash] : []))
  const records = await matching(db, filter)
    .selectAll('s')
    .where(
      sql<boolean>`(s.earning_id = any(${ids.map(String)}::bigint[])
        or (s.earning_id is null and s.tx_hash = any(${hashes}::bytea[])))`,
    )
    .execute()
  const byKey = Map.groupBy(records, formatKey)
  return keys.flatMap((key) => byKey.get(formatKey(key))?.shift() ?? [])
}

const formatKey = (key: RecordKey) => `${key.earning_id ?? key.tx_hash.toString('hex')}`

/** Reads far pages from the nearer end, if the total is known. */
async function stretchOf(db: ReadDb, filter: RecordFilter, page: Paging): Promise<Stretch> {
  const window = { offset: offsetOf(page), limit: page.limit }
  if (window.offset === 0) return { ...window, isReversed: false }
  const { total, isCapped } = await countRecords(db, filter)
  return isCapped ? { ...window, isReversed: false } : fromNearerEnd({ ...window, total })
}

/** All stakes that match a filter, in order. */
export function orderedRecords(db: ReadDb, filter: RecordFilter, order: RecordOrder) {
  return inOrder(matching(db, filter), order).selectAll('s')
}

function inOrder(query: ReturnType<typeof matching>, { by, second, direction }: RecordOrder) {
  return query
    .orderBy(by, direction)
    .$if(second !== undefined, (ordered) => ordered.orderBy(second ?? by, direction))
    .orderBy('s.tx_hash', direction)
}

/**
 * The day in which a far page begins: stakes on chain are counted by day, so earlier days need not be read. Undefined
 * if there are not that many stakes.
 */
async function skipDays(
  db: ReadDb,
  filter: RecordFilter,
  { offset, order }: { offset: number; order: RecordOrder },
): Promise<{ range: DayRange; offset: number } | undefined> {
  const { search, plans, range = {} } = filter
  const isCounted = filter.isBooked === true && filter.staker === undefined
  const isPlain = search.kind === 'all' || search.kind === 'plans'
  const isWhole = isCounted && isPlain && filter.isRegistered === undefined
  if (!isWhole || order.isByStart !== true || offset === 0) return { range, offset }
  const place = await placeInDays(db, {
    stakes: countedStakes(plans, range),
    offset,
    direction: order.direction,
  })
  if (place === undefined) return undefined
  const edge = order.direction === 'desc' ? { to: place.day } : { from: place.day }
  return { range: { ...range, ...edge }, offset: place.offset }
}

/** The day that contains the row at `offset`, and the number of that day's rows before it. */
export async function placeInDays(
  db: ReadDb,
  query: { stakes: RawBuilder<unknown>; offset: number; direction: 'asc' | 'desc' },
): Promise<{ day: BusinessDay; offset: number } | undefined> {
  const { rows } = await sql<{ day: BusinessDay; before: bigint }>`
    select day, before from (
      select day, count, sum(count) over (order by day ${sql.raw(query.direction)}) - count as before
      from (select day, sum(stakes) as count from (${query.stakes}) s group by day) days) placed
    where before <= ${query.offset} and before + count > ${query.offset}`.execute(db)
  const [place] = rows
  return place && { day: place.day, offset: query.offset - Number(place.before) }
}

function countedStakes(plans: ListScope['plans'], range: DayRange) {
  return sql`
    select day, stakes from daily_stake_count
    where day >= ${range.from ?? '-infinity'}::date and day <= ${range.to ?? 'infinity'}::date
      and ${plans === undefined ? sql`true` : sql`plan_id = any(${idsOf(plans)}::bigint[])`}`
}

/** The number of stakes. Unless the list is filtered by search or registration, it comes from the counts by day. */
export async function countRecords(
  db: ReadDb,
  filter: RecordFilter,
): Promise<{ total: number; isCapped: boolean }> {
  if (isOfOne(filter)) return { total: await countMatching(db, filter), isCapped: false }
  if (filter.search.kind === 'stakes' || filter.isRegistered !== undefined) {
    return cappedTotal(await countMatching(db, filter))
  }
  const booked = await countBooked(db, filter)
  if (filter.isBooked === true) return { total: booked, isCapped: false }
  const announced = cappedTotal(await countMatching(db, filter, ['WAITING', 'FAILED']))
  return { total: booked + announced.total, isCapped: announced.isCapped }
}

async function countMatching(
  db: ReadDb,
  filter: RecordFilter,
  states?: readonly StakeState[],
): Promise<number> {
  const some = matching(db, filter)
    .$if(states !== undefined, (query) => query.where('s.state', 'in', states ?? []))
    .select(sql`1`.as('one'))
    .limit(MAX_COUNTED + 1)
  const { total } = await own(db)
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

async function countBooked(db: ReadDb, { plans, range }: RecordFilter): Promise<number> {
  const { total } = await own(db)
    .selectFrom('daily_stake_count')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<bigint>('stakes'), eb.val(0n)).as('total'))
    .$if(plans !== undefined, (query) => query.where('plan_id', 'in', idsOf(plans)))
    .$if(range?.from !== undefined, (query) => query.where('day', '>=', range?.from ?? ''))
    .$if(range?.to !== undefined, (query) => query.where('day', '<=', range?.to ?? ''))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Always contains 0, an id that no plan has: Kysely renders an empty list as `in ()`, which is invalid SQL. */
const idsOf = (plans: ListScope['plans']) => [0n, ...(plans ?? []).map(({ id }) => id)]

/** A single plan is compared with `=`, so that the index on its stakes in start order can be used. */
function inPlans(plans: NonNullable<ListScope['plans']>) {
  const [first, ...others] = plans.map(({ code }) => code)
  if (first === undefined) return sql<boolean>`false`
  if (others.length === 0) return sql<boolean>`s.plan_code = ${first}`
  return sql<boolean>`s.plan_code in (${sql.join([first, ...others])})`
}

function matching(db: ReadDb, filter: RecordFilter) {
  const { search, plans, staker } = filter
  const { from, before } = instantsOf(filter.range ?? {})
  let query = own(db).selectFrom('stake_record as s')
  if (filter.isBooked === true) query = query.where('s.state', '=', 'SUCCESS')
  if (filter.isRegistered !== undefined) {
    query = query.where('s.is_registered', '=', filter.isRegistered)
  }
  if (staker !== undefined) query = query.where('s.staker', '=', staker)
  if (plans !== undefined) query = query.where(inPlans(plans))
  if (from !== undefined) query = query.where('s.started_at', '>=', from)
  if (before !== undefined) query = query.where('s.started_at', '<', before)
  if (filter.txHash !== undefined) query = query.where('s.tx_hash', '=', filter.txHash)
  if (search.kind === 'stakes') query = query.where(fitsStake('s', search))
  if (filter.isCurrent === true) query = query.where(isCurrent())
  return query
}

function isCurrent() {
  return sql<boolean>`(s.state <> 'FAILED' or not exists (
    select from stake_record o where o.staker = s.staker and o.plan_code = s.plan_code
      and (o.state <> 'FAILED' or o.started_at > s.started_at)))`
}
