import { compareDecimals, subtractDecimals } from '../../shared/lib/decimal.ts'

/** What is left for approvals: the wallet's USDT without what was approved and not paid yet; never below 0. */
export function availableBalance(onChain: string, approvedUnpaid: string): string {
  return compareDecimals(onChain, approvedUnpaid) <= 0
    ? '0.000000'
    : subtractDecimals(onChain, approvedUnpaid, USDT_DECIMALS)
}

const USDT_DECIMALS = 18
