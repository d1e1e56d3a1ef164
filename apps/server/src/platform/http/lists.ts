import {
  addDays,
  type BusinessDay,
  businessDayOf,
  isBusinessDay,
  parseBusinessDay,
  startOfBusinessDay,
} from '../clock.ts'
import { Refusal } from '../errors.ts'

export type Paging = { page: number; limit: number }
/** The deepest row that a list can be paged to; beyond it, a search or a filter is needed. */
const MAX_OFFSET = 1_000_000

/** The number of rows to skip. @throws Refusal `BAD_REQUEST` when the page is too deep */
export function offsetOf({ page, limit }: Paging): number {
  const offset = (page - 1) * limit
  if (offset > MAX_OFFSET) {
    throw new Refusal(
      'BAD_REQUEST',
      { field: 'page' },
      'This page is too deep. Please narrow the list with a search or a date.',
    )
  }
  return offset
}

export type Stretch = { offset: number; limit: number; isReversed: boolean }

/**
 * The same rows of a list of `total` rows, counted from its nearer end, so that the last page is as fast as the first.
 * The caller must reverse rows that are read in reverse order.
 */
export function fromNearerEnd({
  offset,
  limit,
  total,
}: Omit<Stretch, 'isReversed'> & { total: number }): Stretch {
  const after = total - offset - limit
  if (after >= offset) return { offset, limit, isReversed: false }
  return {
    offset: Math.max(0, after),
    limit: Math.max(0, Math.min(limit, total - offset)),
    isReversed: true,
  }
}

export const reverseOf = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc')

/** Where counting rows stops when there is no stored count. Longer lists should be filtered. */
export const MAX_COUNTED = 10_000

type CappedTotal = { total: number; isCapped: boolean }

/** The number of rows of a list, if a page of it with this many rows shows that it is the last one. */
export function totalByPage(paging: Paging, rows: number): number | undefined {
  const offset = offsetOf(paging)
  return rows < paging.limit && (rows > 0 || offset === 0) ? offset + rows : undefined
}

/** The total to show for a count that stops at one more than `MAX_COUNTED`. */
export function cappedTotal(found: number | bigint): CappedTotal {
  return { total: Math.min(Number(found), MAX_COUNTED), isCapped: Number(found) > MAX_COUNTED }
}

/** The envelope of every list response, without its items. */
export function listFrame(paging: Paging, total: number) {
  return {
    total,
    totalPages: Math.max(1, Math.ceil(total / paging.limit)),
    page: paging.page,
    limit: paging.limit,
  }
}

/** The envelope of a list whose rows are counted up to `MAX_COUNTED`. */
export function cappedFrame(paging: Paging, { total, isCapped }: CappedTotal) {
  return { ...listFrame(paging, total), is_total_capped: isCapped }
}

/** Escapes %, _ and \ for LIKE. */
export function likePattern(search: string): string {
  return `%${escapeLike(search)}%`
}

export function prefixPattern(search: string): string {
  return `${escapeLike(search)}%`
}

function escapeLike(search: string): string {
  if (search.includes('\0'))
    throw new Refusal(
      'BAD_REQUEST',
      { field: 'search' },
      "The field 'search' contains an invalid character.",
    )
  return search.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

export type DayRange = { from?: BusinessDay; to?: BusinessDay }

/**
 * Reads `start_date` and `end_date` (business days, or instants on them; both inclusive; empty means open).
 * @throws Refusal `BAD_DATE`
 */
export function readDayRange(query: {
  start_date?: string | undefined
  end_date?: string | undefined
}): DayRange {
  const from = readDay(query.start_date, 'start_date')
  const to = readDay(query.end_date, 'end_date')
  if (from !== undefined && to !== undefined && from > to) {
    throw new Refusal('BAD_DATE', { field: 'start_date' }, 'The start date is after the end date.')
  }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function readDay(text: string | undefined, field: string): BusinessDay | undefined {
  if (text === undefined || text === '') return undefined
  try {
    return dayOf(text)
  } catch {
    throw new Refusal('BAD_DATE', { field })
  }
}

/** An ISO 8601 instant; a query string turns the plus of its zone into a space. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+ -]\d{2}:\d{2})?$/

/** Reads an instant of a body. @throws Refusal `BAD_DATE` unless its business day is one that people may enter */
export function readInstant(text: string, field: string): Date {
  const instant = new Date(text)
  try {
    if (isBusinessDay(businessDayOf(instant))) return instant
  } catch (error) {
    // A day that no date can hold, or no date at all.
    if (!(error instanceof RangeError)) throw error
  }
  throw new Refusal('BAD_DATE', { field })
}

/** The business day that a text names, or that contains the instant it names. @throws RangeError */
function dayOf(text: string): BusinessDay {
  const [, date = '', time = '', zone = ''] = INSTANT.exec(text) ?? []
  const day = parseBusinessDay(date === '' ? text : date)
  if (zone === '') return day
  return businessDayOf(new Date(`${day}T${time}${zone.replace(' ', '+')}`))
}

/** The instants that a range of business days covers: from inclusive, before exclusive. */
export function instantsOf(range: DayRange): { from?: Date; before?: Date } {
  return {
    ...(range.from === undefined ? {} : { from: startOfBusinessDay(range.from) }),
    ...(range.to === undefined ? {} : { before: startOfBusinessDay(addDays(range.to, 1)) }),
  }
}
