import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type BusinessDay, businessDayOf, startOfBusinessDay } from '../clock.ts'
import { Refusal } from '../errors.ts'
import {
  cappedTotal,
  fromNearerEnd,
  instantsOf,
  likePattern,
  listFrame,
  offsetOf,
  prefixPattern,
  readDayRange,
  readInstant,
  totalByPage,
} from './lists.ts'

/** The code of the refusal that `work` throws. */
function refusalOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
  return undefined
}

test('[T091] a page skips the rows of the pages before it, and paging has a maximum depth', () => {
  expect(offsetOf({ page: 1, limit: 10 })).toBe(0)
  expect(offsetOf({ page: 3, limit: 25 })).toBe(50)
  expect(offsetOf({ page: 10_001, limit: 100 })).toBe(1_000_000)
  expect(refusalOf(() => offsetOf({ page: 10_002, limit: 100 }))).toBe('BAD_REQUEST')
})

test.each([
  [0, 10, 1],
  [10, 10, 1],
  [11, 10, 2],
  [101, 100, 2],
])('%i rows of %i a page are %i pages', (total, limit, totalPages) => {
  expect(listFrame({ page: 1, limit }, total)).toEqual({ total, totalPages, page: 1, limit })
})

test('[T091] characters special to LIKE are matched literally in a search', () => {
  expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%')
  expect(prefixPattern('T%')).toBe('T\\%%')
  expect(likePattern('')).toBe('%%')
})

test('[T091] a search with a NUL byte, which PostgreSQL cannot store, is refused', () => {
  expect(refusalOf(() => likePattern('a\0b'))).toBe('BAD_REQUEST')
  expect(refusalOf(() => prefixPattern('\0'))).toBe('BAD_REQUEST')
})

test('a range of days covers all instants of its first and last day in UTC+7', () => {
  const range = readDayRange({ start_date: '2026-01-31', end_date: '2026-02-01' })
  expect(instantsOf(range)).toEqual({
    from: new Date('2026-01-30T17:00:00.000Z'),
    before: new Date('2026-02-01T17:00:00.000Z'),
  })
})

test.each([
  ['2026-01-31T16:59:59.999Z', '2026-01-31'],
  ['2026-01-31T17:00:00Z', '2026-02-01'],
  ['2026-02-01T00:00:00+07:00', '2026-02-01'],
  ['2026-02-01T00:00:00 07:00', '2026-02-01'],
  ['2026-01-31T23:30', '2026-01-31'],
])('the instant %s is on the day %s', (start_date, from) => {
  expect(readDayRange({ start_date })).toEqual({ from })
})

test('a range may be open at either end', () => {
  expect(readDayRange({})).toEqual({})
  expect(readDayRange({ start_date: '', end_date: '' })).toEqual({})
  expect(instantsOf(readDayRange({ end_date: '2026-01-01' }))).toEqual({
    before: new Date('2026-01-01T17:00:00.000Z'),
  })
})

test.each([
  { start_date: '2026-02-02', end_date: '2026-02-01' },
  { start_date: '0001-01-01', end_date: '9999-12-31' },
  { start_date: '2026-02-30' },
  { start_date: '0000-01-01' },
  { end_date: '0000-01-01' },
  { start_date: '0000-01-01T00:00:00Z' },
  { end_date: '9999-12-31' },
  { end_date: '9999-12-31T23:59:59Z' },
  { start_date: '275760-09-13' },
  { end_date: '2026-1-1' },
  { start_date: "2026-01-01'--" },
  { end_date: '٢٠٢٦-٠١-٠١' },
  { start_date: '2026-02-30T00:00:00Z' },
  { start_date: '2026-02-01T25:00:00Z' },
  { end_date: '2026-02-01T10:00:00Z; drop' },
])('[T091] the range %j is refused', (query) => {
  expect(refusalOf(() => readDayRange(query))).toBe('BAD_DATE')
})

test('[T091] any dates are either parsed as a range or refused with a reason', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  )
  fc.assert(
    fc.property(text, text, (start_date, end_date) => {
      const code = refusalOf(() => instantsOf(readDayRange({ start_date, end_date })))
      expect([undefined, 'BAD_DATE']).toContain(code)
    }),
  )
})

test.each(['0000-01-01T00:00:00Z', '9999-12-31T00:00:00Z', '+275760-09-13T00:00:00Z', 'soon', ''])(
  'the instant %j of a body is refused, because the database could not hold its day',
  (text) => {
    expect(refusalOf(() => readInstant(text, 'starts_at'))).toBe('BAD_DATE')
    expect(readInstant('2026-01-31T17:00:00Z', 'starts_at')).toEqual(
      new Date('2026-01-31T17:00:00Z'),
    )
  },
)

test('every instant belongs to exactly one of consecutive days', () => {
  const instants = fc.date({
    min: new Date('2020-01-01T00:00:00Z'),
    max: new Date('2040-01-01T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instants, (instant) => {
      const covers = (day: BusinessDay) => {
        const { from, before } = instantsOf({ from: day, to: day })
        return from !== undefined && before !== undefined && from <= instant && instant < before
      }
      const day = businessDayOf(instant)
      expect([addDays(day, -1), day, addDays(day, 1)].map(covers)).toEqual([false, true, false])
      expect(startOfBusinessDay(day) <= instant).toBe(true)
    }),
  )
})

test('a page read from the nearer end has the same rows in the same order', () => {
  const size = fc.integer({ min: 0, max: 60 })
  const limits = fc.integer({ min: 1, max: 20 })
  fc.assert(
    fc.property(size, size, limits, (total, offset, limit) => {
      const rows = Array.from({ length: total }, (_, at) => at)
      const stretch = fromNearerEnd({ offset, limit, total })
      const ordered = stretch.isReversed ? rows.toReversed() : rows
      const page = ordered.slice(stretch.offset, stretch.offset + stretch.limit)
      expect(stretch.isReversed ? page.toReversed() : page).toEqual(
        rows.slice(offset, offset + limit),
      )
      expect(stretch.offset).toBeLessThanOrEqual(offset)
    }),
  )
})

test('a count above the limit is cut off and marked as such', () => {
  expect(cappedTotal(10_000n)).toEqual({ total: 10_000, isCapped: false })
  expect(cappedTotal(10_001n)).toEqual({ total: 10_000, isCapped: true })
})

test('a page that is not full tells the total, unless it lies beyond the end', () => {
  const rows = Array.from({ length: 25 })
  for (const [page, told] of [
    [1, undefined],
    [2, undefined],
    [3, 25],
    [4, undefined],
  ] as const) {
    const paging = { page, limit: 10 }
    const shown = rows.slice(offsetOf(paging), offsetOf(paging) + 10)
    expect(totalByPage(paging, shown.length), `page ${page}`).toBe(told)
  }
  expect(totalByPage({ page: 1, limit: 10 }, 0)).toBe(0)
  expect(totalByPage({ page: 3, limit: 10 }, 10)).toBeUndefined()
})
