/**
 * How people read and write decimals. Programs exchange plain ones ("1234.500000"), and so do CSV files and copy
 * buttons.
 */

const PLAIN = /^([-+]?)(\d+)(\.\d+)?$/

type Separators = { point: string; group: string }
const known = new Map<string, Separators>()

/** The signs of a language, found once. */
export function separatorsOf(language: string): Separators {
  const found = known.get(language) ?? findSeparators(language)
  known.set(language, found)
  return found
}

function findSeparators(language: string): Separators {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8)
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { point: sign('decimal') || '.', group: sign('group') }
}

/** Writes a plain decimal in the notation of a language; anything else is returned unchanged. */
export function localDecimal(plain: string, language: string): string {
  const [, sign = '', whole, fraction = ''] = PLAIN.exec(plain) ?? []
  if (whole === undefined) return plain
  const { point, group } = separatorsOf(language)
  return sign + whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group) + fraction.replace('.', point)
}
