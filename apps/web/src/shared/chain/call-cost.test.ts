import { expect, test } from 'vitest'
import { costOf, type Funds } from './call-cost.ts'

const prices = { energy: 100, bandwidth: 1_000, activation: 1_100_000 }
const funds = (free: Partial<Funds['free']> = {}): Funds => ({
  isActive: true,
  balanceSun: 5n,
  free: { energy: 0, freeBandwidth: 0, stakedBandwidth: 0, ...free },
  prices,
})

test("the account's own energy is used first; the rest is paid in TRX", () => {
  const cost = costOf({ energy: 60_000, bandwidth: 0 }, funds({ energy: 20_000 }))
  expect(cost.feeSun).toBe(4_000_000n)
  expect(cost.feeLimitSun).toBe(9_000_000n)
})

test('the required balance is the current cost plus a margin of a fifth of all energy', () => {
  expect(costOf({ energy: 60_000, bandwidth: 0 }, funds()).neededSun).toBe(7_200_000n)
  const own = costOf({ energy: 60_000, bandwidth: 0 }, funds({ energy: 60_000 }))
  expect(own).toMatchObject({ feeSun: 0n, neededSun: 1_200_000n })
  const plenty = costOf({ energy: 60_000, bandwidth: 0 }, funds({ energy: 72_000 }))
  expect(plenty.neededSun).toBe(0n)
})

test.each([
  ['free in whole', { freeBandwidth: 345 }, 0n],
  ['covered entirely by stake', { stakedBandwidth: 345 }, 0n],
  ['a byte short', { freeBandwidth: 344 }, 345_000n],
  ['covered only by both together', { freeBandwidth: 344, stakedBandwidth: 344 }, 345_000n],
])('bandwidth that is %s', (_case, free, fee) => {
  const cost = costOf({ energy: 1_000, bandwidth: 345 }, funds({ energy: 1_200, ...free }))
  expect(cost).toMatchObject({ feeSun: fee, neededSun: fee })
})
