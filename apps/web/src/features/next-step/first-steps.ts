import type { ClaimedReward, PendingClaimFee } from '@dct/api-contract/claims'
import type { Earning } from '../../shared/api/earnings.api.ts'

/** What a newcomer does until the first reward is paid for, in order. */
export const FIRST_STEPS = ['join', 'claim', 'pay'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

type Facts = {
  earnings: readonly Pick<Earning, 'is_hash_confirmed'>[]
  early: readonly Pick<ClaimedReward, 'code_claim'>[]
  open: readonly Pick<PendingClaimFee, 'code_claim'>[]
  paid: readonly Pick<PendingClaimFee, 'code_claim'>[]
}

/** How many of the first steps are done; all of them once a fee was paid, whatever else is open then. */
export function firstStepsDone({ earnings, early, open, paid }: Facts): number {
  if (paid.length > 0) return FIRST_STEPS.length
  if (open.length > 0 || early.length > 0) return FIRST_STEPS.indexOf('pay')
  const hasJoined = earnings.some(({ is_hash_confirmed }) => is_hash_confirmed !== 'FAILED')
  return FIRST_STEPS.indexOf(hasJoined ? 'claim' : 'join')
}
