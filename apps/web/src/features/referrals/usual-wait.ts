import type { ClaimPoolEntry, ClaimPoolHistoryReply } from '@dct/api-contract/referrals'

/** Fewer claims say nothing about the next one. */
const ENOUGH_CLAIMS = 5

/**
 * The step that a claim is waiting for, and how long that currently takes; undefined if it is not waiting, if too few
 * claims were paid to tell, or if it has already waited longer.
 */
export function usualWaitOf(
  claim: Pick<ClaimPoolEntry, 'state' | 'created_at' | 'approve_at'>,
  wait: ClaimPoolHistoryReply['usual_wait'],
  now: Date,
) {
  if (wait === null || wait.claims < ENOUGH_CLAIMS) return undefined
  const step = stepOf(claim, wait)
  if (step === undefined) return undefined
  const waitedMs = now.getTime() - new Date(step.since).getTime()
  return waitedMs > step.seconds * 1000 ? undefined : step
}

function stepOf(
  { state, created_at, approve_at }: Pick<ClaimPoolEntry, 'state' | 'created_at' | 'approve_at'>,
  wait: NonNullable<ClaimPoolHistoryReply['usual_wait']>,
) {
  if (state === 'requested') {
    return { text: 'approvalTakes', seconds: wait.approval_seconds, since: created_at } as const
  }
  if ((state !== 'approved' && state !== 'sending') || approve_at === null) return undefined
  return { text: 'paymentTakes', seconds: wait.payment_seconds, since: approve_at } as const
}
