import type { ClaimableReward } from '@dct/api-contract/claims'
import type { BusinessDay } from '@dct/rules/business-day'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { lastDayBefore } from '../../shared/lib/date.ts'
import { daysLost } from '../../shared/lib/earning-status.ts'

/**
 * The last day on which a claim loses nothing: before the freeze, before rewards are lost, or before the very end;
 * undefined while rewards are being lost, so that no day is the last one day after day.
 */
export function lastClaimDay(
  { claim_until }: Pick<ClaimableReward, 'claim_until'>,
  earning: Earning | undefined,
  grace: number,
): BusinessDay | undefined {
  if (earning !== undefined && daysLost(earning, grace) > 0) return undefined
  return lastDayBefore(earning?.freezes_on ?? earning?.lapses_from ?? claim_until)
}
