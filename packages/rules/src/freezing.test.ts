import { amount, type Dct } from '@dct/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  claimTime,
  claimWindow,
  countingCycles,
  creditedCyclesLeft,
  firstClaimableCycle,
  freezeLimit,
  freezeReason,
  freezeWarning,
} from './freezing.ts'
import { rewardThrough } from './rewards.ts'

const minimumClaim = amount('DCT', 600_000n)
const dct = (base: bigint): Dct => amount('DCT', base)

test.each([
  { name: '10 DCT at 0.2 % need 30 cycles', reward: 7_200_000n, cycles: 360, limit: 30 },
  { name: '50 DCT at 0.2 % need fewer, so 30', reward: 36_000_000n, cycles: 360, limit: 30 },
  { name: '10 DCT at 0.3 % need fewer, so 30', reward: 21_600_000n, cycles: 720, limit: 30 },
  { name: 'one unit less needs one more', reward: 7_199_999n, cycles: 360, limit: 31 },
  { name: 'half the rate needs 60', reward: 3_600_000n, cycles: 360, limit: 60 },
  { name: 'without a reward 30', reward: 0n, cycles: 360, limit: 30 },
])('[T040] freeze limit: $name', ({ reward, cycles, limit }) => {
  expect(freezeLimit({ reward: dct(reward), cycles, minimumClaim })).toBe(limit)
})

test('[T040] at the limit the minimum claim is always reached, wherever the last claim was', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 600_000n, max: 10n ** 12n }).map(dct),
      fc.integer({ min: 1, max: 2_000 }),
      fc.nat(),
      (reward, cycles, pick) => {
        const limit = freezeLimit({ reward, cycles, minimumClaim })
        fc.pre(limit <= cycles)
        const from = pick % (cycles - limit + 1)
        const gained =
          rewardThrough({ reward, cycles, cycle: from + limit }) -
          rewardThrough({ reward, cycles, cycle: from })
        expect(gained).toBeGreaterThanOrEqual(minimumClaim)
      },
    ),
    { numRuns: 5_000 },
  )
})

test.each([
  { name: '10 DCT at 0.2 %: only within the grace', reward: 7_200_000n, opens: 30, time: 'grace' },
  { name: '10.35 DCT at 0.2 %: one day', reward: 7_452_000n, opens: 29, time: 'short' },
  { name: '13 DCT at 0.2 %: six days', reward: 9_360_000n, opens: 24, time: 'short' },
  { name: '50 DCT at 0.2 %', reward: 36_000_000n, opens: 6, time: 'enough' },
])('the days on which a claim is possible: $name', ({ reward, opens, time }) => {
  const terms = { reward: dct(reward), cycles: 360, claimedThrough: 0, minimumClaim }
  const window = claimWindow({ ...terms, graceCycles: 3 })
  expect(window).toEqual({ opens, freezes: 30, lapses: 34 })
  expect(claimTime(window)).toBe(time)
})

test('the first claimable cycle is the first that reaches the minimum, or the last one', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 9n }).map(dct),
      fc.integer({ min: 1, max: 800 }),
      fc.nat(),
      (reward, cycles, pick) => {
        const claimedThrough = pick % cycles
        const first = firstClaimableCycle({ reward, cycles, claimedThrough, minimumClaim })
        const gained = (through: number) =>
          rewardThrough({ reward, cycles, cycle: through }) -
          rewardThrough({ reward, cycles, cycle: claimedThrough })
        if (first < cycles) expect(gained(first)).toBeGreaterThanOrEqual(minimumClaim)
        expect(gained(first - 1)).toBeLessThan(minimumClaim)
      },
    ),
    { numRuns: 5_000 },
  )
})

test.each([
  { cycle: 0, claimedThrough: 0, exempt: 0, count: 0 },
  { cycle: 30, claimedThrough: 0, exempt: 0, count: 30 },
  { cycle: 40, claimedThrough: 0, exempt: 40, count: 0 },
  { cycle: 45, claimedThrough: 30, exempt: 3, count: 12 },
])(
  '[T038] $cycle cycles, claimed through $claimedThrough, $exempt exempt: $count count',
  (facts) => {
    expect(countingCycles(facts)).toBe(facts.count)
  },
)

test.each([
  { count: 29, left: 4, reason: null },
  { count: 30, left: 3, reason: 'unclaimed' },
  { count: 32, left: 1, reason: 'unclaimed' },
  { count: 33, left: 0, reason: 'unclaimed' },
  { count: 400, left: 0, reason: 'unclaimed' },
])('[T040] after $count counting cycles $left more are credited', ({ count, left, reason }) => {
  expect(creditedCyclesLeft({ count, freezeLimit: 30, graceCycles: 3 })).toBe(left)
  expect(freezeReason({ count, freezeLimit: 30, hasOpenFee: false })).toBe(reason)
})

test('an open fee freezes regardless of the count', () => {
  expect(freezeReason({ count: 0, freezeLimit: 30, hasOpenFee: true })).toBe('open_fee')
  expect(freezeReason({ count: 31, freezeLimit: 30, hasOpenFee: true })).toBe('open_fee')
})

test.each([
  { count: 19, limit: 30, warning: null },
  { count: 20, limit: 30, warning: 20 },
  { count: 25, limit: 30, warning: 25 },
  { count: 28, limit: 30, warning: 28 },
  { count: 29, limit: 30, warning: 29 },
  { count: 36, limit: 30, warning: 30 },
  { count: 49, limit: 60, warning: null },
  { count: 55, limit: 60, warning: 55 },
])('warnings: $count of $limit cycles', ({ count, limit, warning }) => {
  expect(freezeWarning({ count, freezeLimit: limit })).toBe(warning)
})
