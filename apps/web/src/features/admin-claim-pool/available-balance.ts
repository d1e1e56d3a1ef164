import { compareDecimals, subtractDecimals } from '../../shared/lib/decimal.ts'

/** What is left for approvals: the wallet's USDT minus claims approved but not yet paid; never below 0. */
export function availableBalance(onChain: string, approvedUnpaid: string): string {
  return compareDecimals(onChain, approvedUnpaid) <= 0
    ? '0.000000'
    : subtractDecimals(onChain, approvedUnpaid, USDT_DECIMALS)
}

const USDT_DECIMALS = 18
