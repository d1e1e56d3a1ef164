import type { ClaimableReward } from '@dct/api-contract/claims'
import { CLAIM_MIN_DCT } from '@dct/rules/constants'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { CLAIM_WORDING } from './claims.texts.ts'

type Facts = Pick<
  ClaimableReward,
  'total_claimable' | 'is_after_end' | 'can_claim' | 'refusal_text'
>

/** The first thing that keeps a reward from being claimed, in words; undefined when nothing does. */
export function claimProblem(reward: Facts | undefined): string | undefined {
  if (!reward) return CLAIM_WORDING.noPlan
  // After the last cycle whatever is left can be claimed.
  const isTooLittle = compareDecimals(reward.total_claimable, CLAIM_MIN_DCT) < 0
  if (isTooLittle && !reward.is_after_end) return CLAIM_WORDING.belowMinimum
  return reward.can_claim ? undefined : (reward.refusal_text ?? CLAIM_WORDING.failed)
}

/** A reason that waiting does not mend; too little becomes enough by itself. */
export function blockingReason({
  can_claim,
  refusal_code,
  refusal_text,
}: Pick<ClaimableReward, 'can_claim' | 'refusal_code' | 'refusal_text'>): string | null {
  return can_claim || refusal_code === 'BELOW_MINIMUM_CLAIM' ? null : refusal_text
}
