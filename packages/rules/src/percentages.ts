import { type Bps, formatUnits, parseUnits } from '@dct/money'

const DECIMALS = 2

/** Reads a percentage with at most 2 decimals: "0.2" is 20n. @throws RangeError for anything else. */
export function parsePercentage(text: string): Bps {
  return parseUnits(text, DECIMALS)
}

/** The shortest form of a percentage: 7_200n is "72", 20n is "0.2". */
export function formatPercentage(rate: Bps): string {
  return formatUnits(rate, DECIMALS, 0)
}
