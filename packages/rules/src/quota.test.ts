import { amount } from '@dct/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carryFrom, maxTokenAllowed, remainingAnnual, remainingOf, rewardOf } from './quota.ts'

const dct = (whole: number) => amount('DCT', BigInt(whole) * 1_000_000n)
const day = { limit: 2_000n, carry: 0n, promised: 0n, reserved: 0n }

test('the whole reward is the amount times the total percentage', () => {
  expect(rewardOf(dct(50), 7_200n)).toBe(dct(36))
  expect(rewardOf(dct(10), 21_600n)).toBe(21_600_000n)
  expect(rewardOf(amount('DCT', 10_000_001n), 7_200n)).toBe(7_200_000n)
})

test('the maximum locked amount is the most that the total reward suffices for', () => {
  expect(maxTokenAllowed(dct(10_000), 7_200n)).toBe(13_888_888_888n)
  expect(maxTokenAllowed(dct(10_000), 21_600n)).toBe(4_629_629_629n)
  expect(maxTokenAllowed(dct(10_000), 0n)).toBe(0n)
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), fc.bigInt(1n, 1_000_000n), (total, rate) => {
      const most = maxTokenAllowed(amount('DCT', total), rate)
      expect(rewardOf(most, rate) <= total).toBe(true)
      expect(rewardOf(amount('DCT', most + 1n), rate) >= total).toBe(true)
    }),
  )
})

test('the remaining quota of a day is never below 0', () => {
  expect(remainingOf({ ...day, promised: 1_500n, reserved: 300n })).toBe(200n)
  expect(remainingOf({ ...day, promised: 1_500n, reserved: 800n })).toBe(0n)
  expect(remainingOf({ ...day, carry: 100n, promised: 2_050n })).toBe(50n)
})

test('unused quota is carried over, including that of idle days in between', () => {
  expect(carryFrom({ ...day, promised: 500n }, 0)).toBe(1_500n)
  expect(carryFrom({ ...day, carry: 700n, promised: 500n }, 2)).toBe(6_200n)
})

test('a carry-over can be used only once, and an overdrawn day leaves no debt', () => {
  const second = { ...day, carry: carryFrom(day, 0), promised: 3_000n }
  expect(carryFrom(second, 0)).toBe(1_000n)
  expect(carryFrom({ ...day, promised: 9_000n }, 0)).toBe(0n)
})

test('the annual quota is limited by the plan and by the contract’s free funds', () => {
  const plan = { totalReward: 10_000n, promised: 4_000n, reserved: 500n, poolFree: 6_000n }
  expect(remainingAnnual(plan)).toBe(5_500n)
  expect(remainingAnnual({ ...plan, poolFree: 1_000n })).toBe(500n)
  expect(remainingAnnual({ ...plan, poolFree: 0n })).toBe(0n)
  expect(remainingAnnual({ ...plan, promised: 12_000n })).toBe(0n)
})
