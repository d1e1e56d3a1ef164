import type { Earning } from '../../shared/api/earnings.api.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { hasEnded } from '../../shared/lib/earning-status.ts'

/** What happens next to an earning, or what its holder can do next. */
export type WhatNext = {
  name:
    | 'nextConfirming'
    | 'nextFailed'
    | 'nextClaimRest'
    | 'nextReturn'
    | 'nextReturning'
    | 'nextComplete'
  /** An instant. */
  until?: string
}

/** What the earning's other figures do not show already; undefined while it runs and while its fee is open. */
export function whatNext(earning: Earning, now: Date): WhatNext | undefined {
  const { freeze_reason, claim_until: until, capital_state } = earning
  if (earning.is_hash_confirmed === 'WAITING') return { name: 'nextConfirming' }
  if (earning.is_hash_confirmed === 'FAILED') return { name: 'nextFailed' }
  if (freeze_reason === 'open_fee') return undefined
  // The last cycle is credited some hours before the lock ends.
  if (!hasEnded(earning, now) && earning.distributed_cycles < earning.duration_days) {
    return undefined
  }
  const isRestLeft = isPositive(earning.total_unclaimed) && new Date(until) > now
  if (isRestLeft) return { name: 'nextClaimRest', until }
  if (capital_state === 'released') return { name: 'nextComplete' }
  return { name: capital_state === 'releasing' ? 'nextReturning' : 'nextReturn' }
}
