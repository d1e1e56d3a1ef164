import { ALARMS, alarmRule } from '@dct/api-contract/alarms'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueAt } from './dispatch-messages.ts'
import { parseQuietHours, quietUntil } from './quiet-hours.ts'
import { isDue } from './remind-of-alarms.ts'
import { isGivenUp, MAX_ATTEMPTS, retryPauseMs } from './retry.ts'

const HOUR_MS = 3_600_000
const NIGHT = parseQuietHours('22:00-07:00')
/** Of 10 January in UTC+7. */
const at = (hours: number) => new Date(Date.UTC(2026, 0, 10, hours - 7))

test.each([
  ['22:00-07:00', 21.99, undefined],
  ['22:00-07:00', 22, 31],
  ['22:00-07:00', 30.99, 31],
  ['22:00-07:00', 31, undefined],
  ['12:30-13:15', 12.5, 13.25],
  ['12:30-13:15', 13.25, undefined],
])('quiet hours %s, at %d o’clock: until %s', (hours, now, until) => {
  const instant = new Date(at(0).getTime() + now * HOUR_MS)
  const end = until === undefined ? undefined : new Date(at(0).getTime() + until * HOUR_MS)
  expect(quietUntil(parseQuietHours(hours), instant)).toEqual(end)
})

test.each(['22:00', '24:00-07:00', '07:00-07:00', '7-8', '22:00-07:60'])(
  '%s are not valid quiet hours',
  (text) => expect(() => parseQuietHours(text)).toThrow(RangeError),
)

test('quiet hours last until their end and are then over', () => {
  const minute = fc.integer({ min: 0, max: 1_439 })
  const length = fc.integer({ min: 1, max: 1_439 })
  const day = fc.integer({ min: 1, max: 40_000 })
  fc.assert(
    fc.property(minute, length, day, fc.nat(), (from, minutes, number, passed) => {
      const hours = { from, to: (from + minutes) % 1_440 }
      const begin = number * 24 * HOUR_MS + (from - 7 * 60) * 60_000
      const now = new Date(begin + (passed % (minutes * 60_000)))
      expect(quietUntil(hours, now)).toEqual(new Date(begin + minutes * 60_000))
      expect(quietUntil(hours, new Date(begin - 1))).toBeUndefined()
      expect(quietUntil(hours, new Date(begin + minutes * 60_000))).toBeUndefined()
    }),
  )
})

test.each([
  { type: 'alarm.raised', severity: 'warning', hasQuietHours: true, waits: true },
  { type: 'alarm.resolved', severity: 'warning', hasQuietHours: true, waits: true },
  { type: 'alarm.raised', severity: 'critical', hasQuietHours: true, waits: false },
  { type: 'alarm.resolved', severity: 'critical', hasQuietHours: true, waits: false },
  { type: 'alarm.raised', severity: 'warning', hasQuietHours: false, waits: false },
  { type: 'test', severity: null, hasQuietHours: true, waits: false },
  { type: 'stake.joined', severity: null, hasQuietHours: false, waits: false },
] as const)(
  'at night, on a channel with quiet hours ($hasQuietHours), $severity $type waits: $waits',
  (row) => {
    const { type, severity, hasQuietHours, waits } = row
    const where = { channel: { hasQuietHours }, quietHours: NIGHT, now: at(23) }
    expect(dueAt({ type, severity }, where)).toEqual(waits ? at(31) : at(23))
    expect(dueAt({ type, severity }, { ...where, now: at(12) })).toEqual(at(12))
    expect(dueAt({ type, severity }, { ...where, quietHours: undefined })).toEqual(at(23))
  },
)

test.each([
  ['funds.low', 8, 13, false],
  ['funds.low', 8, 14, true],
  ['funds.low', 17, 23, false],
  ['funds.low', 17, 31, true],
  // Written at night, received at seven.
  ['funds.low', 23, 31, false],
  ['funds.low', 23, 37, true],
  // It reports a one-off event.
  ['plan_adopted', 8, 20, false],
  ['chain_halt', 17, 23, true],
  ['chain_halt', 23, 29, true],
] as const)('%s, sent at %d o’clock, is repeated at %d: %s', (kind, sent, now, isRepeated) => {
  const input = { repeatMs: 6 * HOUR_MS, quietHours: NIGHT, now: at(now) }
  expect(isDue({ kind, notifiedAt: at(sent) }, input)).toBe(isRepeated)
})

test('quiet hours never silence a critical alarm', () => {
  const critical = Object.keys(ALARMS).filter((kind) => {
    const { severity, isNews } = alarmRule(kind)
    return severity === 'critical' && isNews !== true
  })
  expect(critical.length).toBeGreaterThan(5)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_439 }),
      fc.integer({ min: 0, max: 1_439 }),
      (from, to) => {
        fc.pre(from !== to)
        const where = { channel: { hasQuietHours: true }, quietHours: { from, to }, now: at(12) }
        expect(dueAt({ type: 'alarm.raised', severity: 'critical' }, where)).toEqual(at(12))
        for (const kind of critical) {
          const input = { repeatMs: HOUR_MS, quietHours: { from, to }, now: at(13) }
          expect(isDue({ kind, notifiedAt: at(12) }, input)).toBe(true)
        }
      },
    ),
  )
})

test('pauses triple up to six hours, vary by a fifth, respect the receiver’s wish, and add up to about a day', () => {
  const pause = (attempts: number, random = 0.5, retryAfterMs = 0) =>
    retryPauseMs({ attempts, isPersonal: true, random, retryAfterMs })
  expect([1, 2, 3, 9].map((attempts) => pause(attempts))).toEqual([
    5_000,
    15_000,
    45_000,
    6 * HOUR_MS,
  ])
  expect([pause(1, 0), pause(1, 1)]).toEqual([4_000, 6_000])
  expect(pause(1, 0.5, 60_000)).toBe(60_000)
  expect(pause(1, 0.5, 10 ** 12)).toBe(6 * HOUR_MS)
  const all = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => pause(index + 1))
  const hours = all.reduce((sum, ms) => sum + ms, 0) / HOUR_MS
  expect(hours).toBeGreaterThan(20)
  expect(hours).toBeLessThan(30)
})

test('a message that the operator’s side hinders is tried every ten minutes for a week, whatever a clock says once', () => {
  const facts = { random: 0.5, retryAfterMs: 0, isPersonal: false }
  expect(retryPauseMs({ ...facts, attempts: 500 })).toBe(HOUR_MS / 6)
  const week = 7 * 24 * HOUR_MS
  const isOver = (attempts: number, waitedMs: number, isPersonal = false) =>
    isGivenUp({ attempts, waitedMs, isPersonal })
  expect(isOver(500, week)).toBe(false)
  expect(isOver(500, week + 1)).toBe(true)
  expect(isOver(1, 52 * week)).toBe(false)
  expect([isOver(11, 0, true), isOver(12, 0, true)]).toEqual([false, true])
})
