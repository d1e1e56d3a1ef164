import type { HistoryGroup, HistoryKind, HistoryReply } from '@dct/api-contract/history'
import { type RawBuilder, sql } from 'kysely'
import { type BusinessDay, businessDayOf } from '../../../platform/clock.ts'
import { type DayRange, instantsOf } from '../../../platform/http/lists.ts'
import { HISTORY_SOURCES, type HistorySource } from './history-sources.ts'

/** One event of a holder's history. Amounts are in base units. */
export type HistoryRow = {
  at: Date
  /** The position of its source; together with `at` and `id` it identifies the item and determines the order. */
  source: number
  id: bigint
  kind: HistoryKind
  direction: 'in' | 'out' | null
  asset: 'DCT' | 'USDT' | null
  amount: bigint | null
  plan_code: string | null
  first_day: string | null
  last_day: string | null
  days: bigint | null
  code_claim: string | null
  claim_type: string | null
  bonus_type: HistoryReply['items'][number]['bonus_type']
  rate_bps: number | null
  reason: string | null
  tx_hash: Buffer | null
}
export type HistoryPlace = Pick<HistoryRow, 'at' | 'source' | 'id'>

export type HistoryFilter = {
  userId: bigint
  address: Buffer
  kind?: HistoryGroup | undefined
  planCode?: string | undefined
  range: DayRange
  rewards: 'daily' | 'monthly'
  direction: 'asc' | 'desc'
}

/**
 * The query for at most `limit` items after a position. Each source is queried for that many, starting at the position,
 * using a separate index; so a page costs the same at any position, however long the history is.
 */
export function historyQuery(
  filter: HistoryFilter,
  page: { after?: HistoryPlace | undefined; limit: number },
): RawBuilder<HistoryRow> {
  const parts = HISTORY_SOURCES.flatMap((source, position) =>
    isWanted(source, filter) ? [itemsOf(source, { ...filter, ...page, position })] : [],
  )
  return parts.length === 0
    ? sql`select where false`
    : sql`
        select * from (${sql.join(parts, sql` union all `)}) h
        order by ${order(filter.direction)} limit ${page.limit}`
}

function isWanted(source: HistorySource, { kind, planCode }: HistoryFilter): boolean {
  if (planCode !== undefined && !source.isOfPlan) return false
  if (kind === undefined) return true
  return kind === 'payments' ? source.isPayment === true : source.group === kind
}

type PartQuery = HistoryFilter & {
  after?: HistoryPlace | undefined
  limit: number
  position: number
}

function itemsOf(source: HistorySource, query: PartQuery): RawBuilder<unknown> {
  const { planCode, range, direction, after, limit, position } = query
  const { from, before } = instantsOf(range)
  const conditions = [
    after === undefined ? sql`true` : isAfter(after, { position, direction }),
    from === undefined ? sql`true` : sql`i.at >= ${from}`,
    before === undefined ? sql`true` : sql`i.at < ${before}`,
    planCode === undefined ? sql`true` : sql`i.plan_code = ${planCode}`,
  ]
  // One more than a page: the cycle at the position itself is read again, and dropped by the condition.
  const items = source.items({ ...query, days: daysOf(query), most: limit + 1 })
  return sql`(
    select ${sql.lit(position)}::integer as source, i.* from (${items}) i
    where ${sql.join(conditions, sql` and `)}
    order by ${order(direction, 'i.')} limit ${limit})`
}

/** The order of a history; items of one source need not be compared by source. */
function order(direction: 'asc' | 'desc', of: '' | 'i.' = ''): RawBuilder<unknown> {
  const names = of === '' ? ['at', 'source', 'id'] : ['i.at', 'i.id']
  return sql.join(names.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`))
}

/** Compares at most two columns, so that an index on time and id can start at the position. */
function isAfter(
  { at, source, id }: HistoryPlace,
  { position, direction }: { position: number; direction: 'asc' | 'desc' },
): RawBuilder<unknown> {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  if (position === source) return sql`(i.at, i.id) ${beyond} (${at}::timestamptz, ${id}::bigint)`
  const isLater = direction === 'asc' ? position > source : position < source
  return sql`i.at ${beyond}${isLater ? sql`=` : sql``} ${at}`
}

/** The days whose cycles may be on the page. Months are always summed in full, within the filter's range. */
function daysOf({ range, rewards, direction, after }: PartQuery): DayRange {
  if (after === undefined || rewards === 'monthly') return range
  const day = businessDayOf(after.at)
  const later = (a: BusinessDay | undefined) => (a === undefined || a < day ? day : a)
  const earlier = (a: BusinessDay | undefined) => (a === undefined || a > day ? day : a)
  return direction === 'asc'
    ? { ...range, from: later(range.from) }
    : { ...range, to: earlier(range.to) }
}
