import { expect, test } from 'vitest'
import { windowPrice, withinStep } from './pair-price.ts'

const MINUTE_MS = 60_000
const now = new Date('2026-01-01T12:00:00Z')
const ago = (minutes: number, price: bigint) => ({
  at: new Date(now.getTime() - minutes * MINUTE_MS),
  price,
})
const window = { now, windowMs: 60 * MINUTE_MS }

test.each([
  ['nothing', [], undefined],
  ['less than half of the window', [ago(29, 5n)], undefined],
  ['half of the window', [ago(30, 5n)], 5n],
  ['a price from before the window', [ago(70, 5n), ago(50, 7n)], 7n],
  ['a price from long before the next sample', [ago(500, 5n), ago(1, 7n)], undefined],
  ['a wrong price for just under half of the window', [ago(60, 5n), ago(29, 900n)], 5n],
  ['a price that holds for more than half of it', [ago(60, 5n), ago(31, 900n)], 900n],
  ['wrong prices in both directions', [ago(60, 5n), ago(40, 1n), ago(30, 5n), ago(10, 9n)], 5n],
])('the price of the window with %s', (_what, samples, expected) => {
  expect(windowPrice(samples, window)).toBe(expected)
})

test.each([
  [105n, 105n],
  [111n, 110n],
  [89n, 90n],
  [90n, 90n],
])('from 100, a step of 10 %% towards %s ends at %s', (wanted, reached) => {
  expect(withinStep(wanted, 100n, 1_000n)).toBe(reached)
})
