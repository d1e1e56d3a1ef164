import { formatUnits, parseLocalDecimal, readLocalDecimal, typedText } from '@dct/money'
import { i18n } from '../i18n/texts.ts'
import { decimalTexts } from './decimal.texts.ts'
import { PLAIN_DECIMAL, shownDecimal, sixOrMore, toFixedDecimal } from './fixed-decimal.ts'

export { shownDecimal, sixOrMore, toFixedDecimal }

/** More decimals than any asset has, so that decimals of different assets can be compared. */
const COMMON_DECIMALS = 30

/**
 * Normalises a typed number to a plain decimal, as the service expects it.
 * @param unit may stand beside the number
 * @returns undefined if it is not a clear number
 */
export function readDecimal(typed: string, unit = 'DCT'): string | undefined {
  return readLocalDecimal(typed, i18n.locale, unit)
}

/** What is wrong with a typed number that is nearly one; undefined if it is one, or not even nearly. */
export function decimalProblem(typed: string, unit = 'DCT'): string | undefined {
  const { problem } = parseLocalDecimal(typed, i18n.locale, unit)
  const say = (key: keyof typeof decimalTexts.english) =>
    i18n._(`${decimalTexts.scope}.${key}`, { typed: typedText(typed), unit })
  if (problem === 'unclear') return say('unclear')
  return problem === 'unit' ? say('otherUnit') : undefined
}

/** Compares as a sort function does: negative, zero or positive. @throws RangeError if either is not a decimal */
export function compareDecimals(left: string, right: string): number {
  const difference = scaled(left) - scaled(right)
  if (difference === 0n) return 0
  return difference > 0n ? 1 : -1
}

/** Whether it is above zero. @throws RangeError if it is not a decimal */
export function isPositive(value: string): boolean {
  return compareDecimals(value, '0') > 0
}

/** The sum, truncated to `decimals`. */
export function addDecimals(left: string, right: string, decimals = 6): string {
  return unscaled(scaled(left) + scaled(right), decimals)
}

/** The difference, truncated to `decimals`. */
export function subtractDecimals(left: string, right: string, decimals = 6): string {
  return unscaled(scaled(left) - scaled(right), decimals)
}

/** `value * numerator / denominator`, truncated to `decimals`. */
export function scaleDecimal(
  value: string,
  ratio: { numerator: bigint; denominator: bigint },
  decimals = 6,
): string {
  return unscaled((scaled(value) * ratio.numerator) / ratio.denominator, decimals)
}

/** `part / whole` from 0 to 1 with four digits; for progress bars only. */
export function shareOf(part: string, whole: string): number {
  const total = scaled(whole)
  if (total <= 0n) return 0
  const share = Number((scaled(part) * 10_000n) / total) / 10_000
  return Math.min(1, Math.max(0, share))
}

/** `part` as a percentage of `whole`, rounded to two decimals. */
export function ratePercentage(part: string, whole: string): string {
  const total = scaled(whole)
  if (total <= 0n) return '0.00'
  const hundredths = (scaled(part) * 10_000n + total / 2n) / total
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

function scaled(value: string): bigint {
  const match = PLAIN_DECIMAL.exec(value.trim())
  if (!match) throw new RangeError(`Not a decimal: ${value}`)
  const [, sign, whole = '', fraction = ''] = match
  const size = BigInt(whole + fraction.slice(0, COMMON_DECIMALS).padEnd(COMMON_DECIMALS, '0'))
  return sign ? -size : size
}

function unscaled(value: bigint, decimals: number): string {
  return toFixedDecimal(formatUnits(value, COMMON_DECIMALS), decimals) ?? '0'
}
