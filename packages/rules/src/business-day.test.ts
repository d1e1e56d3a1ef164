import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  addDays,
  type BusinessDay,
  businessDayInWords,
  businessDayOf,
  businessTimeOf,
  daysBetween,
  FIRST_DAY,
  LAST_DAY,
  parseBusinessDay,
  parseBusinessTime,
  startOfBusinessDay,
} from './business-day.ts'

const day = (text: string) => parseBusinessDay(text)

test.each([
  ['2026-02-28T16:59:59.999Z', '2026-02-28'],
  ['2026-02-28T17:00:00.000Z', '2026-03-01'],
  ['2028-02-28T17:00:00.000Z', '2028-02-29'],
  ['2026-12-31T17:00:00.000Z', '2027-01-01'],
  ['2026-03-29T00:30:00.000Z', '2026-03-29'],
])('[CONST-03] [T037] %s is in business day %s', (instant, expected) => {
  expect(businessDayOf(new Date(instant))).toBe(expected)
})

test('a day begins at 00:00 in UTC+7 and lasts until just before the next', () => {
  const start = startOfBusinessDay(day('2028-02-29'))
  expect(start.toISOString()).toBe('2028-02-28T17:00:00.000Z')
  expect(businessDayOf(start)).toBe('2028-02-29')
  expect(businessDayOf(new Date(start.getTime() - 1))).toBe('2028-02-28')
})

test('a day in words follows the language, whatever the time zone of the machine', () => {
  expect(businessDayInWords(day('2025-04-05'), 'en')).toBe('April 5, 2025')
  expect(businessDayInWords(day('2025-04-05'), 'id')).toBe('5 April 2025')
})

test('days are added and counted across leap days and years', () => {
  expect(addDays(day('2028-02-28'), 2)).toBe('2028-03-01')
  expect(addDays(day('2027-01-01'), -1)).toBe('2026-12-31')
  expect(daysBetween(day('2026-01-01'), day('2028-01-01'))).toBe(730)
  expect(daysBetween(day('2028-03-01'), day('2028-02-28'))).toBe(-2)
})

test.each([
  ...['2026-02-30', '2026-2-3', '26-01-01', '2026-01-01T00:00:00Z', '', '٢٠٢٦-٠١-٠١'],
  ...['0000-01-01', '0001-01-01', '1899-12-31', '9999-01-01', '9999-12-31', '275760-09-13'],
  ...['-2026-01-01', '+002026-01-01', '2026-00-10', '2026-13-01', '2026-01-00'],
])('%j is not a calendar day', (text) => {
  expect(() => parseBusinessDay(text)).toThrow(RangeError)
})

test.each(['UTC', 'America/New_York', 'Asia/Jakarta', 'Pacific/Apia'])(
  '[T037] a process in time zone %s finds the same days',
  (TZ) => {
    const module = new URL('./business-day.ts', import.meta.url).href
    const script = `
      const { addDays, businessDayOf, startOfBusinessDay } = await import(${JSON.stringify(module)})
      const found = []
      for (let at = Date.UTC(2026, 2, 27, 16, 30); at < Date.UTC(2026, 3, 2); at += 3_600_000) {
        const day = businessDayOf(new Date(at))
        found.push(day, startOfBusinessDay(day).toISOString(), addDays(day, 250))
      }
      process.stdout.write(JSON.stringify(found))`
    const args = ['--input-type=module', '--eval', script]
    const output = execFileSync(process.execPath, args, { env: { TZ }, encoding: 'utf8' })
    const expected: string[] = []
    for (let at = Date.UTC(2026, 2, 27, 16, 30); at < Date.UTC(2026, 3, 2); at += 3_600_000) {
      const found: BusinessDay = businessDayOf(new Date(at))
      expected.push(found, startOfBusinessDay(found).toISOString(), addDays(found, 250))
    }
    expect(JSON.parse(output)).toEqual(expected)
  },
)

test('a business time is read back, and anything else is refused', () => {
  const instant = new Date('2026-01-31T17:05:00Z')
  expect(businessTimeOf(instant)).toBe('2026-02-01 00:05:00')
  expect(parseBusinessTime('2026-02-01T00:05')).toEqual(instant)
  expect(parseBusinessTime(businessTimeOf(instant))).toEqual(instant)
  for (const text of [
    '',
    '2026-02-01',
    '2026-02-30T10:00',
    '0000-01-01T00:00',
    '2026-02-01T25:00',
    '12026-02-01T10:00',
  ]) {
    expect(() => parseBusinessTime(text)).toThrow(RangeError)
  }
})

test('the days at both ends of what people may enter begin and end at instants with a year of four digits', () => {
  for (const edge of [FIRST_DAY, LAST_DAY]) {
    expect(parseBusinessDay(edge)).toBe(edge)
    for (const instant of [startOfBusinessDay(edge), startOfBusinessDay(addDays(edge, 1))]) {
      expect(instant.toISOString()).toMatch(/^\d{4}-/)
    }
  }
})
