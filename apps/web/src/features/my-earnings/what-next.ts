import { addDays, businessDayOf } from '@dct/rules/business-day'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { hasEnded } from '../../shared/lib/earning-status.ts'

/** What happens next to an earning, or what its holder can do next. Days are `YYYY-MM-DD`. */
export type WhatNext = {
  name:
    | 'nextConfirming'
    | 'nextFailed'
    | 'nextPayFee'
    | 'nextUnfreeze'
    | 'nextUnfreezeFrom'
    | 'nextClaim'
    | 'nextClaimFrom'
    | 'nextClaimRest'
    | 'nextReturn'
    | 'nextReturning'
    | 'nextComplete'
  day?: string
  from?: string
  until?: string
}

/** Every state that an earning can be in has exactly one answer. */
export function whatNext(earning: Earning, now: Date): WhatNext {
  const { freeze_reason, claimable_from: from, claim_until: until, capital_state } = earning
  if (earning.is_hash_confirmed === 'WAITING') return { name: 'nextConfirming' }
  if (earning.is_hash_confirmed === 'FAILED') return { name: 'nextFailed' }
  if (freeze_reason === 'open_fee') return { name: 'nextPayFee' }
  // The last cycle is credited some hours before the lock ends.
  if (hasEnded(earning, now) || earning.distributed_cycles >= earning.duration_days) {
    const isRestLeft = isPositive(earning.total_unclaimed) && new Date(until) > now
    if (isRestLeft) return { name: 'nextClaimRest', until }
    if (capital_state === 'released') return { name: 'nextComplete' }
    return { name: capital_state === 'releasing' ? 'nextReturning' : 'nextReturn' }
  }
  if (freeze_reason === 'unclaimed') {
    return from === null ? { name: 'nextUnfreeze' } : { name: 'nextUnfreezeFrom', from }
  }
  const day = addDays(businessDayOf(now), 1)
  return from === null ? { name: 'nextClaim', day } : { name: 'nextClaimFrom', day, from }
}
