import { formatUnits } from 'viem'

/** The decimals of the development token. */
export const DCT_DECIMALS = 6

/** Formats base units of DCT as the product shows amounts. */
export function dct(units: bigint): string {
  const [whole = '0', fraction = ''] = formatUnits(units, DCT_DECIMALS).split('.')
  return `${whole}.${fraction.padEnd(DCT_DECIMALS, '0')}`
}
