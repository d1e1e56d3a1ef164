import type { PendingClaimFee } from '@dct/api-contract/claims'
import { isInternalHash } from '../../shared/lib/internal-hash.ts'

/** How far the payment of a fee has come. */
export const PAYMENT_STAGES = ['waiting', 'seen', 'final', 'sent'] as const
export type PaymentStage = (typeof PAYMENT_STAGES)[number]

type Facts = Pick<PendingClaimFee, 'is_paid' | 'hint' | 'tx_hash_reward'>

/**
 * `waiting` for a payment; `seen`, while the chain confirms it; `final`, while its reward is being sent; `sent`, once
 * that is final too.
 */
export function paymentStage({ is_paid, hint, tx_hash_reward: reward }: Facts): PaymentStage {
  if (!is_paid) return hint?.is_checking ? 'seen' : 'waiting'
  return reward === null || reward === '' || isInternalHash(reward) ? 'final' : 'sent'
}
