import { formatUnits } from 'viem'

/** The development token's. */
export const DCT_DECIMALS = 6

/** Base units of DCT as the product writes amounts. */
export function dct(units: bigint): string {
  const [whole = '0', fraction = ''] = formatUnits(units, DCT_DECIMALS).split('.')
  return `${whole}.${fraction.padEnd(DCT_DECIMALS, '0')}`
}
