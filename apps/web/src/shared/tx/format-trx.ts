import { formatUnits } from '@dct/money'

const TRX_DECIMALS = 6

/** Sun as TRX. */
export function formatTrx(sun: bigint): string {
  return formatUnits(sun, TRX_DECIMALS)
}
