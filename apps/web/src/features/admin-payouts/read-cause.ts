/** What a payout is for: a part of a claim, or a referral claim. */
export type ReadCause =
  | { kind: 'claim'; id: string; part: 'now' | 'later' }
  | { kind: 'referralClaim'; id: string }

/** Parses the cause of a payout as the service formats it, such as `claim:17:later`; undefined for an unknown kind. */
export function readCause(cause: string): ReadCause | undefined {
  const claim = /^claim:(\d+):(now|later)$/.exec(cause)
  if (claim?.[1] !== undefined) {
    return { kind: 'claim', id: claim[1], part: claim[2] === 'now' ? 'now' : 'later' }
  }
  const id = /^referral-claim:(\d+)$/.exec(cause)?.[1]
  return id === undefined ? undefined : { kind: 'referralClaim', id }
}
