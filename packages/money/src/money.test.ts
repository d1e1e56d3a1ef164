import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount, applyRate, ceilTo, floorTo, formatUnits, parseUnits } from './index.ts'

test('[T031] formatting and parsing are inverse for every amount and scale', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 29n }),
      fc.integer({ min: 0, max: 18 }),
      (base, decimals) => {
        expect(parseUnits(formatUnits(base, decimals), decimals)).toBe(base)
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([
  '1e1',
  '-10',
  'NaN',
  '10 ',
  ' 10',
  '',
  '.5',
  '5.',
  '١٠',
  '0x10',
  '1,5',
  '+1',
  '10.0000001',
])('[T031] %j is refused as an amount of 6 decimals', (text) => {
  expect(() => parseUnits(text, 6)).toThrow(RangeError)
})

test('additional decimals are accepted if they are zeros', () => {
  expect(parseUnits('10.0000000', 6)).toBe(10_000_000n)
})

test('formatting shows six decimals and never hides a digit', () => {
  expect(formatUnits(12_500_000n, 6)).toBe('12.500000')
  expect(formatUnits(1n, 18)).toBe('0.000000000000000001')
  expect(formatUnits(-5n, 6)).toBe('-0.000005')
  expect(formatUnits(7n, 0, 0)).toBe('7')
})

test('rates and steps round in the requested direction', () => {
  const value = amount('DCT', 10_001n)
  expect(applyRate(value, 4_000n, 'down')).toBe(4_000n)
  expect(applyRate(value, 4_000n, 'up')).toBe(4_001n)
  expect(floorTo(value, 10n)).toBe(10_000n)
  expect(ceilTo(value, 10n)).toBe(10_010n)
})

test('an amount is never negative', () => {
  expect(() => amount('DCT', -1n)).toThrow(RangeError)
})
