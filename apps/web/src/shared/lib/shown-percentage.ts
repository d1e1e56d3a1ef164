import { toFixedDecimal } from './decimal.ts'

/** A percentage with two decimals, as every screen shows it; a dash if the service sent none. */
export function shownPercentage(value: string | undefined): string {
  return toFixedDecimal(value ?? '', 2) ?? value ?? '–'
}
