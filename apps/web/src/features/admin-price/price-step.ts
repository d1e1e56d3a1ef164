import { PRICE_DECIMALS } from '@dct/rules/constants'
import {
  compareDecimals,
  isPositive,
  readDecimal,
  scaleDecimal,
  subtractDecimals,
  toFixedDecimal,
} from '../../shared/lib/decimal.ts'

const PRICE = /^\d{1,10}(\.\d{1,8})?$/

/** Parses a typed price: a decimal above 0 with at most 8 decimals; otherwise undefined. */
export function readPrice(typed: string): string | undefined {
  const price = readDecimal(typed, 'USDT')
  if (price === undefined || !PRICE.test(price)) return undefined
  return isPositive(price) ? price : undefined
}

/** The change from one price to the next in percent, with two decimals and its sign. */
export function stepPercentage(before: string, after: string): string {
  const step = subtractDecimals(after, before, PRICE_DECIMALS)
  const denominator = BigInt((toFixedDecimal(before, PRICE_DECIMALS) ?? '0').replace('.', ''))
  const percent = scaleDecimal(step, { numerator: 10_000_000_000n, denominator }, 2)
  return compareDecimals(step, '0') > 0 ? `+${percent}` : percent
}

/** Whether one admin may set this price without a second one. */
export function isWithin(
  alone: { lowest: string; highest: string } | null,
  wanted: string,
): boolean {
  if (alone === null) return true
  return compareDecimals(wanted, alone.lowest) >= 0 && compareDecimals(wanted, alone.highest) <= 0
}
