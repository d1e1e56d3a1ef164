import { amount, type Dct } from '@dct/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rewardOf } from './quota.ts'
import { dailyReward, rewardOfCycles, rewardThrough } from './rewards.ts'

const PLANS = [
  { cycles: 360, totalBps: 7_200n },
  { cycles: 720, totalBps: 21_600n },
] as const

const cycleReward = ({ cycle, ...terms }: { reward: Dct; cycles: number; cycle: number }) =>
  rewardOfCycles(terms, { after: cycle - 1, through: cycle })
const dct = (base: bigint): Dct => amount('DCT', base)
const amounts = fc.bigInt({ min: 10_000_000n, max: 50_000_000n }).map(dct)

test('[CONST-01] a 360-cycle plan pays 0.2 % of the locked amount per cycle, 72 % in all', () => {
  const reward = rewardOf(dct(10_000_000n), 7_200n)
  expect(reward).toBe(7_200_000n)
  for (const cycle of [1, 180, 360]) {
    expect(cycleReward({ reward, cycles: 360, cycle })).toBe(20_000n)
  }
})

test('[CONST-02] a 720-cycle plan pays 0.3 % of the locked amount per cycle, 216 % in all', () => {
  const reward = rewardOf(dct(50_000_000n), 21_600n)
  expect(reward).toBe(108_000_000n)
  for (const cycle of [1, 360, 720]) {
    expect(cycleReward({ reward, cycles: 720, cycle })).toBe(150_000n)
  }
})

test.each(PLANS)(
  '[T042] the $cycles cycles of 20,000 random amounts sum to the reward, to the unit',
  ({ cycles, totalBps }) => {
    fc.assert(
      fc.property(amounts, (locked) => {
        const reward = rewardOf(locked, totalBps)
        let sum = 0n
        let least = reward as bigint
        let most = 0n
        for (let cycle = 1; cycle <= cycles; cycle += 1) {
          const paid = cycleReward({ reward, cycles, cycle })
          sum += paid
          if (paid < least) least = paid
          if (paid > most) most = paid
        }
        if (sum !== reward || most - least > 1n) throw new Error(`${locked}: ${sum} of ${reward}`)
      }),
      { numRuns: 20_000 },
    )
  },
  120_000,
)

test('[T042] rewards of any size and number of cycles are paid in full, even with 18 decimals', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 24n }).map(dct),
      fc.integer({ min: 1, max: 2_000 }),
      fc.nat(),
      (reward, cycles, pick) => {
        const cycle = 1 + (pick % cycles)
        const paid = cycleReward({ reward, cycles, cycle })
        const daily = dailyReward({ reward, cycles })
        expect(paid - daily).toBeGreaterThanOrEqual(0n)
        expect(paid - daily).toBeLessThanOrEqual(1n)
        expect(rewardThrough({ reward, cycles, cycle: cycles })).toBe(reward)
        expect(rewardThrough({ reward, cycles, cycle: 0 })).toBe(0n)
      },
    ),
    { numRuns: 5_000 },
  )
})

test('[T041] cycles before the first and after the last are refused', () => {
  const reward = dct(7_200_000n)
  expect(() => cycleReward({ reward, cycles: 360, cycle: 0 })).toThrow(RangeError)
  expect(() => cycleReward({ reward, cycles: 360, cycle: 361 })).toThrow(RangeError)
})
