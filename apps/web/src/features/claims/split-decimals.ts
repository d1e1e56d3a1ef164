import type { ClaimableReward, ClaimType } from '@dct/api-contract/claims'
import { isPositive } from '../../shared/lib/decimal.ts'

/**
 * The decimals of a claim's parts: two where it is split, as the specification shows a split; the exact parts stand in
 * its calculation. Six where everything is sent together.
 */
export function splitDecimals({ now_amount }: ClaimableReward['parts'][ClaimType]): 2 | 6 {
  return isPositive(now_amount) ? 2 : 6
}
