import { localDecimal } from '@dct/money/local-decimal'
import { i18n } from '../i18n/texts.ts'

/** Decimal strings as the API sends them ("12.500000"), handled without ever becoming floating-point numbers. */
export const PLAIN_DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** Truncates or pads to a fixed number of decimals; never rounds up. @returns undefined if it is not a number */
export function toFixedDecimal(value: string, decimals: number): string | undefined {
  const match = PLAIN_DECIMAL.exec(value.trim())
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const shown = fraction.slice(0, decimals).padEnd(decimals, '0')
  const plainWhole = whole.replace(/^0+(?=\d)/, '')
  const isZero = /^0*$/.test(plainWhole + shown)
  return `${isZero ? '' : sign}${plainWhole}${decimals > 0 ? `.${shown}` : ''}`
}

/** With six decimals, and every further one that is not 0: how prices are shown, which have more than amounts. */
export function sixOrMore(value: string): string {
  const fraction = value.trim().split('.')[1] ?? ''
  const decimals = Math.max(6, fraction.replace(/0+$/, '').length)
  return toFixedDecimal(value, decimals) ?? value
}

/** A decimal formatted for the current language. Do not use it for values that other programs read. */
export function shownDecimal(plain: string): string {
  return localDecimal(plain, i18n.locale)
}
