import type { Amount, Asset } from './amount.ts'

/** The number of decimals of each asset. DCT's are read from its contract; 6 is the development token's. */
export const DECIMALS = { DCT: 6, USDT: 18, TRX: 6, BNB: 18 } as const satisfies Record<
  Asset,
  number
>

/** The minimum number of decimals that screens and API replies show. */
export const SHOWN_DECIMALS = 6

/**
 * Parses a plain decimal ("12.5") into base units.
 * @throws RangeError for signs, exponents, non-ASCII digits, or more decimals than `decimals`.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const match = /^(\d{1,30})(?:\.(\d+))?$/.exec(text)
  const whole = match?.[1]
  const fraction = match?.[2] ?? ''
  if (whole === undefined || /[^0-9.]/.test(text))
    throw new RangeError('Not a plain decimal number')
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > decimals) throw new RangeError(`At most ${decimals} decimals are possible`)
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(kept.padEnd(decimals, '0'))
}

/** `parseUnits`, branded with its asset. */
export function parseAmount<A extends Asset>(asset: A, text: string, decimals?: number): Amount<A> {
  return parseUnits(text, decimals ?? DECIMALS[asset]) as Amount<A>
}

/** Base units as a decimal with at least `shown` decimals; significant digits are never cut off. */
export function formatUnits(
  base: bigint,
  decimals: number,
  shown: number = SHOWN_DECIMALS,
): string {
  const sign = base < 0n ? '-' : ''
  const digits = (base < 0n ? -base : base).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const padded = fraction.padEnd(shown, '0')
  return padded === '' ? `${sign}${whole}` : `${sign}${whole}.${padded}`
}

export function formatAmount<A extends Asset>(asset: A, base: bigint, decimals?: number): string {
  return formatUnits(base, decimals ?? DECIMALS[asset])
}
