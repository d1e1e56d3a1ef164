import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { compareDecimals, isPositive, toFixedDecimal } from '../../shared/lib/decimal.ts'

/**
 * The decimals of a claim's parts: two where it is split, as the specification shows a split. Six where everything is
 * sent together.
 */
export function splitDecimals({ now_amount }: ClaimableReward['parts'][ClaimType]): 2 | 6 {
  return isPositive(now_amount) ? 2 : 6
}

/** The whole of a part, where so few decimals hide some of it: halves of 0.37 are no 0.75. */
export function exactPart(part: string, decimals: 2 | 6): string | undefined {
  const shown = toFixedDecimal(part, decimals) ?? part
  return compareDecimals(part, shown) === 0 ? undefined : part
}
