import { expect, test } from 'vitest'
import { exactPart, splitDecimals } from './split-decimals.ts'

test.each([
  ['0.375000', 2, '0.375000'],
  ['0.300000', 2, undefined],
  ['0.375000', 6, undefined],
] as const)('of %s with %d decimals, %s is said exactly', (part, decimals, exact) => {
  expect(exactPart(part, decimals)).toBe(exact)
})

test('only the parts of a split claim have two decimals', () => {
  expect(splitDecimals({ now_amount: '0.375000', later_amount: '0.375000' })).toBe(2)
  expect(splitDecimals({ now_amount: '0.000000', later_amount: '0.750000' })).toBe(6)
})
