/** What a paid fee earns the people who referred its payer. */
import { amount, type Usdt } from '@dct/money'
import { shareOf } from './rules.ts'

export type Kind = 'direct' | 'non-direct'
export type Share = { referrer: string; kind: Kind; amount: Usdt }

/** A payer's line: the referrer first, then the referrer's own, and so on. Percentages in hundredths of a percent. */
export type Line = readonly { referrer: string; percentageBps: bigint }[]

/** The most that all non-direct shares of a fee are together. */
const MOST_NON_DIRECT = 7_500n

/**
 * The direct share goes to the payer's referrer. Non-direct shares go up the line: whoever has a higher percentage than
 * everybody below gets the difference.
 */
export function sharesOf(base: Usdt, line: Line, directBps: bigint): Share[] {
  const shares: Share[] = []
  const [first] = line
  if (first !== undefined) {
    shares.push({ referrer: first.referrer, kind: 'direct', amount: shareOf(base, directBps) })
  }
  let highest = 0n
  for (const { referrer, percentageBps } of line) {
    const reached = percentageBps < MOST_NON_DIRECT ? percentageBps : MOST_NON_DIRECT
    if (reached <= highest) continue
    shares.push({ referrer, kind: 'non-direct', amount: shareOf(base, reached - highest) })
    highest = reached
  }
  return shares.filter((share) => share.amount > 0n)
}

/** What a referrer earned, asked for and must be sent, of one kind of bonus. */
export type Balance = { earned: Usdt; claims: ReferralClaim[] }
export type ReferralClaim = {
  id: string
  amount: Usdt
  /** The BSC address that the referrer signed. */
  to: string
  state: 'requested' | 'approved' | 'declined' | 'returned'
}

export function unclaimed({ earned, claims }: Balance): Usdt {
  const standing = claims.filter(isStanding)
  return amount('USDT', earned - standing.reduce((sum, claim) => sum + claim.amount, 0n))
}

/** What must have been sent to this referrer. */
export function owedTo({ claims }: Balance): Usdt {
  const approved = claims.filter(({ state }) => state === 'approved')
  return amount(
    'USDT',
    approved.reduce((sum, claim) => sum + claim.amount, 0n),
  )
}

function isStanding({ state }: ReferralClaim): boolean {
  return state === 'requested' || state === 'approved'
}
