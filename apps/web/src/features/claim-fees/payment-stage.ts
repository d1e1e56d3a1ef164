import type { PendingClaimFee } from '@dct/api-contract/claims'
import { isInternalHash } from '../../shared/lib/internal-hash.ts'

/** How far the payment of a fee has come. */
type PaymentStage = 'waiting' | 'seen' | 'final' | 'sent'

type Facts = Pick<PendingClaimFee, 'is_paid' | 'hint' | 'tx_hash_reward'>

/** How many steps of the way are done: paid, seen on BSC, final there, and the reward sent. */
export const STEPS_DONE: Readonly<Record<PaymentStage, number>> = {
  waiting: 0,
  seen: 1,
  final: 3,
  sent: 4,
}

/** The text of the first step. A hash that was handed in proves nothing before the chain shows its payment. */
export const FIRST_STEP = {
  waiting: 'trackWaiting',
  seen: 'trackSubmitted',
  final: 'trackPaid',
  sent: 'trackPaid',
} as const satisfies Record<PaymentStage, string>

/**
 * `waiting` for a payment; `seen`, while the chain confirms it; `final`, while its reward is being sent; `sent`, once
 * that is final too.
 */
export function paymentStage({ is_paid, hint, tx_hash_reward: reward }: Facts): PaymentStage {
  if (!is_paid) return hint?.is_checking ? 'seen' : 'waiting'
  return reward === null || reward === '' || isInternalHash(reward) ? 'final' : 'sent'
}
