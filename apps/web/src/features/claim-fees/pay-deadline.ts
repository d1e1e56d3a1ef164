import type { PendingClaimFee } from '@dct/api-contract/claims'
import type { BusinessDay } from '@dct/rules/business-day'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { lastDayBefore } from '../../shared/lib/date.ts'
import { daysLost } from '../../shared/lib/earning-status.ts'

type PayDeadline = { text: 'payBefore' | 'payUntil'; day: BusinessDay }

/**
 * The nearer of a fee's two deadlines that can still be met: the last day to pay before later rewards are lost, otherwise
 * before the reward that waits for the fee is.
 */
export function payDeadline(
  { fee_until }: Pick<PendingClaimFee, 'fee_until'>,
  earning: Earning | undefined,
  grace: number,
): PayDeadline {
  const isFrozen = earning?.freeze_reason === 'open_fee' && daysLost(earning, grace) === 0
  const lost = isFrozen ? earning.lapses_from : null
  return {
    text: lost === null ? 'payUntil' : 'payBefore',
    day: lastDayBefore(lost ?? fee_until),
  }
}
