import type { ClaimableReward } from '@dct/api-contract/claims'
import { CLAIM_MIN_DCT } from '@dct/rules/constants'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { CLAIM_REFUSALS, CLAIM_WORDING } from './claims.texts.ts'

type Facts = Pick<
  ClaimableReward,
  'total_claimable' | 'is_after_end' | 'can_claim' | 'refusal_text'
>

/** The first reason why a reward cannot be claimed; undefined if it can. */
export function claimProblem(reward: Facts | undefined): string | undefined {
  if (!reward) return CLAIM_REFUSALS.noPlan
  // After the last cycle, any remaining amount can be claimed.
  const isTooLittle = compareDecimals(reward.total_claimable, CLAIM_MIN_DCT) < 0
  if (isTooLittle && !reward.is_after_end) return CLAIM_REFUSALS.belowMinimum
  return reward.can_claim ? undefined : (reward.refusal_text ?? CLAIM_WORDING.failed)
}

/** A reason that does not resolve itself; an amount below the minimum does, as it grows. */
export function blockingReason({
  can_claim,
  refusal_code,
  refusal_text,
}: Pick<ClaimableReward, 'can_claim' | 'refusal_code' | 'refusal_text'>): string | null {
  return can_claim || refusal_code === 'BELOW_MINIMUM_CLAIM' ? null : refusal_text
}
