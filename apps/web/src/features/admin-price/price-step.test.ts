import { expect, test } from 'vitest'
import { isLargeStep, readPrice, stepPercentage } from './price-step.ts'

test('a price is a plain decimal above 0 with at most 8 decimals', () => {
  expect(['1', ' 1.25 ', '0.00000001'].map(readPrice)).toEqual(['1', '1.25', '0.00000001'])
  for (const typed of ['', '0', '0.0', '-1', '1e3', '1,5', '0.000000001', '.5', '1.']) {
    expect([typed, readPrice(typed)]).toEqual([typed, undefined])
  }
})

test('the step is told in percent of the present price', () => {
  expect(stepPercentage('1.00000000', '1.2')).toBe('+20.00')
  expect(stepPercentage('1.00000000', '0.85')).toBe('-15.00')
  expect(stepPercentage('2.00000000', '2')).toBe('0.00')
})

test('exactly the largest step is one admin’s, and the smallest bit more is not', () => {
  expect(isLargeStep('1.00000000', '1.2', '20.00')).toBe(false)
  expect(isLargeStep('1.00000000', '1.20000001', '20.00')).toBe(true)
  expect(isLargeStep('1.00000000', '0.8', '20.00')).toBe(false)
  expect(isLargeStep('1.00000000', '0.79999999', '20.00')).toBe(true)
})
