declare const unit: unique symbol

export type Asset = 'DCT' | 'USDT' | 'TRX' | 'BNB'

/** A number of an asset's base units, never negative. The brand keeps `add(dct, usdt)` from compiling. */
export type Amount<A extends Asset> = bigint & { readonly [unit]: (asset: A) => A }
export type Dct = Amount<'DCT'>
export type Usdt = Amount<'USDT'>

/** Hundredths of a percent: 20n is 0.2 %, 4_000n is 40 %. */
export type Bps = bigint

/**
 * Brands a bigint as an amount of base units.
 * @throws RangeError when negative.
 */
export function amount<A extends Asset>(_asset: A, base: bigint): Amount<A> {
  if (base < 0n) throw new RangeError(`An amount cannot be negative: ${base}`)
  return base as Amount<A>
}

export function add<A extends Asset>(a: Amount<A>, b: Amount<A>): Amount<A> {
  return (a + b) as Amount<A>
}

export function smaller<A extends Asset>(a: Amount<A>, b: Amount<A>): Amount<A> {
  return a < b ? a : b
}

/** `value * rate`, rounded as the caller specifies. */
export function applyRate<A extends Asset>(
  value: Amount<A>,
  rate: Bps,
  round: 'down' | 'up',
): Amount<A> {
  return divide(value * rate, 10_000n, round) as Amount<A>
}

/** Integer division of non-negative numbers with explicit rounding. */
export function divide(numerator: bigint, denominator: bigint, round: 'down' | 'up'): bigint {
  const floor = numerator / denominator
  return round === 'up' && numerator % denominator !== 0n ? floor + 1n : floor
}

/** The largest multiple of `step` that does not exceed `value`. */
export function floorTo<A extends Asset>(value: Amount<A>, step: bigint): Amount<A> {
  return (value - (value % step)) as Amount<A>
}

/** The smallest multiple of `step` that is at least `value`. */
export function ceilTo<A extends Asset>(value: Amount<A>, step: bigint): Amount<A> {
  return (divide(value, step, 'up') * step) as Amount<A>
}
