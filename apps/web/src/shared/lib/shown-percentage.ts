import { shownDecimal, toFixedDecimal } from './fixed-decimal.ts'

/** A percentage with two decimals, in the current language, as every screen shows it; a dash if the service sent none. */
export function shownPercentage(value: string | undefined): string {
  return shownDecimal(toFixedDecimal(value ?? '', 2) ?? value ?? '–')
}
