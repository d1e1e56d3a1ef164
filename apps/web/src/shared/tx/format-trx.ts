import { formatUnits } from '@dct/money'

const TRX_DECIMALS = 6

/** Formats sun as TRX. */
export function formatTrx(sun: bigint): string {
  return formatUnits(sun, TRX_DECIMALS)
}
