import { expect, test } from 'vitest'
import { type CalendarEntry, calendarFile, foldLine } from './calendar-file.ts'

const entry: CalendarEntry = {
  id: 'claim-7',
  title: 'Claim: PLAN-360; now, or later',
  text: 'Two lines\nand a \\',
  from: new Date('2026-06-10T17:00:00Z'),
  to: new Date('2026-06-11T17:00:00Z'),
}
const frame = {
  maker: 'DCT Earning',
  host: 'dct.example',
  url: 'https://dct.example/dashboard',
  now: new Date('2026-06-01T08:09:10.500Z'),
}
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

test('an entry is written in business time, which the file names, escaped, with a day of notice', () => {
  const lines = linesOf(calendarFile([entry], frame))
  expect(lines[0]).toBe('BEGIN:VCALENDAR')
  expect(lines.at(-2)).toBe('END:VCALENDAR')
  expect(lines).toEqual(
    expect.arrayContaining([
      'VERSION:2.0',
      'UID:claim-7@dct.example',
      'DTSTAMP:20260601T080910Z',
      'TZID:Asia/Jakarta',
      'TZOFFSETTO:+0700',
      'DTSTART;TZID=Asia/Jakarta:20260611T000000',
      'DTEND;TZID=Asia/Jakarta:20260612T000000',
      'SUMMARY:Claim: PLAN-360\\; now\\, or later',
      'DESCRIPTION:Two lines\\nand a \\\\',
      'TRIGGER:-P1D',
    ]),
  )
})

test('a newer file has the same id and a greater sequence', () => {
  const later = { ...frame, now: new Date('2026-06-02T08:00:00Z') }
  const [old, fresh] = [frame, later].map((one) => linesOf(calendarFile([entry], one)))
  const field = (lines: string[] | undefined, name: string) =>
    lines?.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1)
  expect(field(fresh, 'UID')).toBe(field(old, 'UID'))
  expect(Number(field(fresh, 'SEQUENCE'))).toBeGreaterThan(Number(field(old, 'SEQUENCE')))
})

test('every line ends with CR LF and has at most 75 octets', () => {
  const long = { ...entry, text: 'Imbalan – '.repeat(40) }
  const file = calendarFile([long], frame)
  expect(file.endsWith('\r\n')).toBe(true)
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain('Imbalan – '.repeat(40).trim())
})

test('folding never splits characters of several octets', () => {
  const folded = foldLine('é'.repeat(80))
  expect(folded.split('\r\n ').map((part) => Buffer.byteLength(part))).toEqual([74, 74, 12])
  expect(foldLine('short')).toBe('short')
})
