import { expect, test } from 'vitest'
import { isGivenUp, MAX_ATTEMPTS, retryPauseMs } from './retry.ts'

const HOUR_MS = 3_600_000

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
