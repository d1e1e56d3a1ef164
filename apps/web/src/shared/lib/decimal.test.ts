import { expect, test } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  isPositive,
  ratePercentage,
  readDecimal,
  scaleDecimal,
  shareOf,
  toFixedDecimal,
} from './decimal.ts'

test.each([
  ['12.5', 6, '12.500000'],
  ['0.999999999', 6, '0.999999'],
  ['1000', 2, '1000.00'],
  ['007.1', 0, '7'],
  ['-0.0000001', 6, '0.000000'],
  ['-1.5', 2, '-1.50'],
  ['123456789012345678901234567890.123456', 6, '123456789012345678901234567890.123456'],
  ['', 6, undefined],
  ['1e3', 6, undefined],
  ['1,5', 6, undefined],
  ['NaN', 6, undefined],
])('%s with %d decimals is %s', (value, decimals, shown) => {
  expect(toFixedDecimal(value, decimals)).toBe(shown)
})

test('decimals are compared by value, whatever their length', () => {
  expect(compareDecimals('0.6', '0.600000')).toBe(0)
  expect(compareDecimals('0.599999999999999999', '0.6')).toBe(-1)
  expect(compareDecimals('10', '9.99')).toBe(1)
  expect(compareDecimals('-1', '0')).toBe(-1)
  expect(isPositive('0.000000000000000001')).toBe(true)
  expect(isPositive('0.000000')).toBe(false)
  expect(() => compareDecimals('x', '0')).toThrow(RangeError)
})

test('sums and products have the requested number of digits and round down', () => {
  expect(addDecimals('0.1', '0.2')).toBe('0.300000')
  expect(addDecimals('-1', '0.5')).toBe('-0.500000')
  expect(scaleDecimal('10', { numerator: 1n, denominator: 3n })).toBe('3.333333')
})

test('a share is between 0 and 1', () => {
  expect(shareOf('1', '3')).toBe(0.3333)
  expect(shareOf('5', '3')).toBe(1)
  expect(shareOf('1', '0')).toBe(0)
})

test.each([
  ['36.000000', '50.000000', '72.00'],
  ['108.000000', '50.000000', '216.00'],
  // A reward is truncated to whole units, which must not change its rate.
  ['7.407406', '10.288065', '72.00'],
  ['1.2345', '10', '12.35'],
  ['1', '0', '0.00'],
])('%s of %s are %s percent', (part, whole, percentage) => {
  expect(ratePercentage(part, whole)).toBe(percentage)
})

test('typed numbers become plain decimals; a comma is a decimal sign', () => {
  expect(readDecimal('9,5')).toBe('9.5')
  expect(readDecimal(' 25 ')).toBe('25')
  expect(readDecimal('.5')).toBe('0.5')
  expect(readDecimal('5.')).toBe('5')
  expect(readDecimal('-')).toBeUndefined()
  expect(readDecimal('١٠')).toBe('10')
  expect(readDecimal('1,000.5')).toBe('1000.5')
  expect(readDecimal('1.000,5')).toBe('1000.5')
  expect(readDecimal('1,000')).toBeUndefined()
})
