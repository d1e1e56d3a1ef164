import { expect, test } from 'vitest'
import { formatPercentage, parsePercentage } from './percentages.ts'

test.each([
  ['72', 7_200n, '72'],
  ['0.2', 20n, '0.2'],
  ['12.34', 1_234n, '12.34'],
  ['0', 0n, '0'],
  ['75.00', 7_500n, '75'],
])('%s is %s hundredths of a percent', (text, rate, shown) => {
  expect(parsePercentage(text)).toBe(rate)
  expect(formatPercentage(rate)).toBe(shown)
})

test.each(['', '-1', '1e1', '0.001', '1,5', 'NaN', '١٢'])('not a percentage: %s', (text) => {
  expect(() => parsePercentage(text)).toThrow(RangeError)
})
