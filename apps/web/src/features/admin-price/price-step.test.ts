import { expect, test } from 'vitest'
import { isWithin, readPrice, stepPercentage } from './price-step.ts'

test('a price is a decimal above 0 with at most 8 decimals; a comma is a decimal sign', () => {
  expect(['1', ' 1.25 ', '1,25', '0.00000001'].map(readPrice)).toEqual([
    '1',
    '1.25',
    '1.25',
    '0.00000001',
  ])
  for (const typed of ['', '0', '0,0', '-1', '1e3', '1,000', '0.000000001']) {
    expect([typed, readPrice(typed)]).toEqual([typed, undefined])
  }
})

test('the step is a percentage of the current price', () => {
  expect(stepPercentage('1.00000000', '1.2')).toBe('+20.00')
  expect(stepPercentage('1.00000000', '0.85')).toBe('-15.00')
  expect(stepPercentage('2.00000000', '2')).toBe('0.00')
})

test('one admin may set a price at the bounds, but not beyond', () => {
  const alone = { lowest: '0.80000000', highest: '1.20000000' }
  expect(['0.8', '1', '1.2'].map((wanted) => isWithin(alone, wanted))).toEqual([true, true, true])
  expect(['0.79999999', '1.20000001'].map((wanted) => isWithin(alone, wanted))).toEqual([
    false,
    false,
  ])
  expect(isWithin(null, '9000')).toBe(true)
})
