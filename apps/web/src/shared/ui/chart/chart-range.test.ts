import { expect, test } from 'vitest'
import { barRange, lineRange, shareScale } from './chart-range.ts'

test('lines that vary much start at 0, and so do unknown ones', () => {
  expect(lineRange([0, 5, 10])).toEqual([0, 10])
  expect(lineRange([4, 10, Number.NaN])).toEqual([0, 10])
  expect(lineRange([])).toEqual([0, 1])
  expect(lineRange([Number.NaN])).toEqual([0, 1])
  expect(lineRange([0, 0])).toEqual([0, 1])
})

test('lines that vary little are shown between their lowest and highest amount', () => {
  expect(lineRange([19_998, Number.NaN, 20_000])).toEqual([19_998, 20_000])
  expect(lineRange([100, 100])).toEqual([95, 105])
})

test('bars always start at 0', () => {
  expect(barRange([90, 100])).toEqual([0, 100])
  expect(barRange([0])).toEqual([0, 1])
})

test('lines of very different heights do not share a scale', () => {
  expect(shareScale([100, 20_000])).toBe(false)
  expect(shareScale([18_000, 20_000])).toBe(true)
  expect(shareScale([0, 20_000])).toBe(true)
  expect(shareScale([])).toBe(true)
})
