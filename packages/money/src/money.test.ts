import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  amount,
  applyRate,
  ceilTo,
  floorTo,
  formatAmount,
  formatUnits,
  parseAmount,
  parseUnits,
  smaller,
} from './index.ts'
import { readLocalDecimal } from './read-decimal.ts'
import { typedText } from './typed-text.ts'

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

test('a refusal says what is wrong', () => {
  expect(() => parseUnits('ten', 6)).toThrow('Not a plain decimal number')
  expect(() => parseUnits('0.1234567', 6)).toThrow('At most 6 decimals are possible')
})

test('a whole number needs no point', () => {
  expect(parseUnits('12', 6)).toBe(12_000_000n)
  expect(parseUnits('12', 0)).toBe(12n)
})

test('an amount has the decimals of its asset, or those that its contract states', () => {
  expect(parseAmount('USDT', '1.5')).toBe(1_500_000_000_000_000_000n)
  expect(parseAmount('DCT', '1.5', 2)).toBe(150n)
  expect(formatAmount('USDT', 1_500_000_000_000_000_000n)).toBe('1.500000')
  expect(formatAmount('DCT', 150n, 2)).toBe('1.500000')
})

test('additional decimals are accepted if they are zeros', () => {
  expect(parseUnits('10.0000000', 6)).toBe(10_000_000n)
})

test('formatting shows six decimals and never hides a digit', () => {
  expect(formatUnits(12_500_000n, 6)).toBe('12.500000')
  expect(formatUnits(1n, 18)).toBe('0.000000000000000001')
  expect(formatUnits(-5n, 6)).toBe('-0.000005')
  expect(formatUnits(7n, 0, 0)).toBe('7')
  expect(formatUnits(12_000_000n, 6, 0)).toBe('12')
  expect(formatUnits(0n, 6)).toBe('0.000000')
})

test('rates and steps round in the requested direction', () => {
  const value = amount('DCT', 10_001n)
  expect(applyRate(value, 4_000n, 'down')).toBe(4_000n)
  expect(applyRate(value, 4_000n, 'up')).toBe(4_001n)
  expect(floorTo(value, 10n)).toBe(10_000n)
  expect(ceilTo(value, 10n)).toBe(10_010n)
})

test('what divides exactly is not rounded', () => {
  const value = amount('DCT', 10_000n)
  expect(applyRate(value, 4_000n, 'up')).toBe(4_000n)
  expect(ceilTo(value, 10n)).toBe(10_000n)
  expect(floorTo(value, 10n)).toBe(10_000n)
})

test('an amount is never negative', () => {
  expect(() => amount('DCT', -1n)).toThrow('An amount cannot be negative: -1')
  expect(amount('DCT', 0n)).toBe(0n)
})

test('amounts are added, and the smaller of two is found', () => {
  const [one, two] = [amount('DCT', 1n), amount('DCT', 2n)]
  expect(add(one, two)).toBe(3n)
  expect([smaller(one, two), smaller(two, one), smaller(two, two)]).toEqual([1n, 1n, 2n])
})

test.each([
  ['10.5000', 'id', '10.5000'],
  ['1.234\u066b5', 'ar', '1234.5'],
  ['1,234\u066b5', 'ar', '1234.5'],
  ['0123.456,7', 'en', undefined],
  ['1234.567,8', 'en', undefined],
  ['1.2345,6', 'en', undefined],
  ['1\u066b2\u066b3', 'ar', undefined],
  ['1,5 5', 'id', undefined],
])('%j in %s is read as %j', (typed, language, plain) => {
  expect(readLocalDecimal(typed, language)).toBe(plain)
})

test('typed spaces separate once, and not at the ends', () => {
  expect(typedText('  25 \t DCT ')).toBe('25 DCT')
})
