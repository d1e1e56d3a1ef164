import { type BusinessDay, startOfBusinessDay } from '@dct/rules/business-day'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { daysLost, freezesFirst } from '../../shared/lib/earning-status.ts'

/** What acting before the deadline prevents: the freeze, losing cycles, or losing what is unclaimed at the very end. */
export type DeadlineKind = 'beforeFreeze' | 'beforeLoss' | 'payBeforeLoss' | 'beforeEnd'
/** The holder must act before this instant. */
export type Deadline = { kind: DeadlineKind; at: Date }

/**
 * The next deadline of a confirmed earning that can be met; undefined if nothing can be lost. Once rewards are being
 * lost, only the very end is left to be met.
 */
export function nextDeadline(
  earning: Earning,
  { now, grace }: { now: Date; grace: number },
): Deadline | undefined {
  if (earning.is_hash_confirmed !== 'SUCCESS') return undefined
  const { freeze_reason, freezes_on, lapses_from } = earning
  if (freeze_reason === null && freezes_on !== null && !freezesFirst(earning)) {
    return { kind: 'beforeFreeze', at: startOf(freezes_on) }
  }
  if (lapses_from !== null && daysLost(earning, grace) === 0) {
    const kind = freeze_reason === 'open_fee' ? 'payBeforeLoss' : 'beforeLoss'
    return { kind, at: startOf(lapses_from) }
  }
  const end = new Date(earning.claim_until)
  const hasMore = earning.distributed_cycles < earning.duration_days
  const isLost = end.getTime() <= now.getTime()
  if (isLost || (!hasMore && !isPositive(earning.total_unclaimed))) return undefined
  return { kind: 'beforeEnd', at: end }
}

function startOf(day: string): Date {
  return startOfBusinessDay(day as BusinessDay)
}
