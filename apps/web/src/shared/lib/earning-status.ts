import type { Earning } from '../api/earnings.api.ts'

type StatusFacts = Pick<Earning, 'is_hash_confirmed' | 'is_frozen' | 'end_date' | 'capital_state'>

/** The statuses of an earning, in the product's fixed wording and table order. */
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

/** Whether the capital can be claimed: the earning has ended and its lock is confirmed. */
export function canClaimCapital(earning: StatusFacts, now: Date): boolean {
  return earning.is_hash_confirmed === 'SUCCESS' && hasEnded(earning, now)
}

/**
 * Whether a user counts as following a plan, which hides the join tab. Any earning that did not fail counts, including
 * one that has ended.
 */
export function isFollowing(earnings: readonly Pick<Earning, 'is_hash_confirmed'>[]): boolean {
  return earnings.some(({ is_hash_confirmed }) => is_hash_confirmed !== 'FAILED')
}

/** Whether all of a user's earnings have ended and their capital is released, so that another plan can be joined. */
export function canJoinAnother(earnings: readonly StatusFacts[]): boolean {
  return isFollowing(earnings) && !earnings.some(isLocked)
}

/** The service knows the end better than the browser's clock does, but either is enough. */
export function hasEnded({ end_date, capital_state }: StatusFacts, now: Date): boolean {
  const isPast = new Date(end_date).getTime() <= now.getTime()
  return isPast || capital_state !== 'locked'
}

/** Whether the earning freezes before a claim is possible: no deadline before the freeze could be met. */
export function freezesFirst({
  claimable_from,
  freezes_on,
}: Pick<Earning, 'claimable_from' | 'freezes_on'>): boolean {
  return claimable_from !== null && freezes_on !== null && claimable_from >= freezes_on
}

/** Whether its tokens are, or may be, still in the staking contract. */
export function isLocked({ is_hash_confirmed, capital_state }: StatusFacts): boolean {
  return is_hash_confirmed !== 'FAILED' && capital_state !== 'released'
}

/** For how many days rewards have been lost; 0 while they are still credited. The next one lost is `lapses_from`. */
export function daysLost(
  earning: Pick<Earning, 'reward_distribution_count' | 'freeze_limit'>,
  grace: number,
): number {
  const { reward_distribution_count: count, freeze_limit: limit } = earning
  return Math.max(0, count - limit - grace)
}
