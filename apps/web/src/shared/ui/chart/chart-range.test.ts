import { expect, test } from 'vitest'
import { rangeOf, shareScale } from './chart-range.ts'

test('a scale starts at 0, so that a small change of a large amount looks small', () => {
  expect(rangeOf([0, 5, 10])).toEqual([0, 10])
  expect(rangeOf([19_997, Number.NaN, 20_000])).toEqual([0, 20_000])
  expect(rangeOf([100, 100])).toEqual([0, 100])
})

test('without an amount above 0 a scale has some height all the same', () => {
  for (const amounts of [[], [Number.NaN], [0, 0]]) expect(rangeOf(amounts)).toEqual([0, 1])
})

test('lines of very different heights do not share a scale', () => {
  expect(shareScale([100, 20_000])).toBe(false)
  expect(shareScale([18_000, 20_000])).toBe(true)
  expect(shareScale([0, 20_000])).toBe(true)
  expect(shareScale([])).toBe(true)
})
