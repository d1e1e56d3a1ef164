import type { ClaimedReward, PendingClaimFee } from '@dct/api-contract/claims'
import { isInternalHash } from '../../shared/lib/internal-hash.ts'

export type Payout = { amount: string; hash: string; at: string }

type Early = Pick<ClaimedReward, 'claimed_amount' | 'claimed_trx_hash' | 'claim_date'>
type Paid = Pick<PendingClaimFee, 'later_amount' | 'tx_hash_reward' | 'paid_at'>

/** A claim has at most two payouts; with more, the first one is no news. */
const MOST_PAYOUTS = 2

/** The first reward that ever reached the holder's wallet; undefined before it, and long after it. */
export function firstPayout(early: readonly Early[], paid: readonly Paid[]): Payout | undefined {
  const payouts = [
    ...early.map((one) => ({
      amount: one.claimed_amount,
      hash: one.claimed_trx_hash,
      at: one.claim_date,
    })),
    ...paid.map((one) => ({
      amount: one.later_amount,
      hash: one.tx_hash_reward ?? '',
      at: one.paid_at ?? '',
    })),
  ].filter(({ hash }) => hash !== '' && !isInternalHash(hash))
  if (payouts.length > MOST_PAYOUTS) return undefined
  return payouts.toSorted((one, other) => one.at.localeCompare(other.at))[0]
}
