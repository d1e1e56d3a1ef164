import { expect, test } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { OffsetClock } from './clock.ts'

test('[T036] the business clock runs with real time, shifted by its offset', () => {
  const real = new ManualClock('2026-01-01T00:00:00.000Z')
  const clock = new OffsetClock(86_400_000, real)
  expect(clock.now()).toEqual(new Date('2026-01-02T00:00:00.000Z'))
  real.advanceMs(1_500)
  expect(clock.now()).toEqual(new Date('2026-01-02T00:00:01.500Z'))
})

test('[T036] business time never goes back', () => {
  const real = new ManualClock('2026-01-01T00:00:00.000Z')
  const clock = new OffsetClock(5_000, real)
  clock.setOffset(9_000)
  clock.setOffset(1_000)
  expect(clock.offsetMs).toBe(9_000)
  expect(clock.now()).toEqual(new Date('2026-01-01T00:00:09.000Z'))
})

test('changing a returned instant does not change the clock', () => {
  const clock = new ManualClock('2026-01-01T00:00:00.000Z')
  clock.now().setUTCFullYear(1999)
  expect(clock.now()).toEqual(new Date('2026-01-01T00:00:00.000Z'))
})
