import {
  compareDecimals,
  multiplyDecimals,
  scaleDecimal,
  subtractDecimals,
  toFixedDecimal,
} from '../../shared/lib/decimal.ts'

const PRICE = /^\d{1,10}(\.\d{1,8})?$/
const PRICE_DECIMALS = 8
/** Those of a price times those of a percentage. */
const ALL_DECIMALS = 12

/** A price as it was typed: a plain decimal above 0 with at most 8 decimals; else undefined. */
export function readPrice(typed: string): string | undefined {
  const text = typed.trim()
  return PRICE.test(text) && compareDecimals(text, '0') > 0 ? text : undefined
}

/** How far a price is from the present one, in percent with two decimals, with its sign. */
export function stepPercentage(before: string, after: string): string {
  const step = subtractDecimals(after, before, PRICE_DECIMALS)
  const denominator = BigInt((toFixedDecimal(before, PRICE_DECIMALS) ?? '0').replace('.', ''))
  const percent = scaleDecimal(step, { numerator: 10_000_000_000n, denominator }, 2)
  return compareDecimals(step, '0') > 0 ? `+${percent}` : percent
}

/** Whether one admin alone may not take that step. */
export function isLargeStep(before: string, after: string, maximumPercentage: string): boolean {
  const isUp = compareDecimals(after, before) > 0
  const step = isUp
    ? subtractDecimals(after, before, PRICE_DECIMALS)
    : subtractDecimals(before, after, PRICE_DECIMALS)
  // Compared as products, so that nothing is rounded.
  const taken = scaleDecimal(step, { numerator: 100n, denominator: 1n }, PRICE_DECIMALS)
  return compareDecimals(taken, multiplyDecimals(before, maximumPercentage, ALL_DECIMALS)) > 0
}
