import type { Earning } from '../api/earnings.api.ts'

type StatusFacts = Pick<Earning, 'is_hash_confirmed' | 'is_frozen' | 'end_date' | 'capital_state'>

/** What an earning shows as its status: the product's wordings, in the order of its table. */
export type EarningStatus =
  | 'Waiting for hash confirmation'
  | 'Failed to confirm hash'
  | 'Freeze'
  | 'Deactive'
  | 'Active'

export function earningStatus(earning: StatusFacts, now: Date): EarningStatus {
  if (earning.is_hash_confirmed === 'WAITING') return 'Waiting for hash confirmation'
  if (earning.is_hash_confirmed === 'FAILED') return 'Failed to confirm hash'
  if (earning.is_frozen) return 'Freeze'
  return hasEnded(earning, now) ? 'Deactive' : 'Active'
}

/** The capital can be asked for once the end has passed and the lock is confirmed. */
export function canClaimCapital(earning: StatusFacts, now: Date): boolean {
  return earning.is_hash_confirmed === 'SUCCESS' && hasEnded(earning, now)
}

/**
 * Whether a user counts as following a plan, which hides the join tab. Any earning that did not fail
 * is enough, so one that has ended counts as well.
 */
export function isFollowing(earnings: readonly Pick<Earning, 'is_hash_confirmed'>[]): boolean {
  return earnings.some(({ is_hash_confirmed }) => is_hash_confirmed !== 'FAILED')
}

/** The service knows the end better than the browser's clock; either is enough. */
function hasEnded({ end_date, capital_state }: StatusFacts, now: Date): boolean {
  const isPast = new Date(end_date).getTime() <= now.getTime()
  return (
    isPast ||
    capital_state === 'due' ||
    capital_state === 'releasing' ||
    capital_state === 'released'
  )
}
