/**
 * One stake, from the day on which it starts: what each of its cycles became, its claims, and what it must be paid.
 *
 * Cycle k belongs to business day `startDay + k`. It is credited, unless so many cycles have passed since the last claim
 * that it lapses. A day that is excused does not count, and never lapses.
 */
import { amount, type Dct } from '@dct/money'
import {
  type ClaimType,
  cyclePays,
  type Fee,
  freezeLimit,
  GRACE,
  MINIMUM_CLAIM,
  partsOf,
} from './rules.ts'

export type Claim = {
  code: string
  type: ClaimType
  /** The cycles that it took, both included; lapsed ones in between are not part of it. */
  first: number
  last: number
  claimed: Dct
  fee: Fee
  /** The exact amount that pays the fee, and where to. */
  asked: bigint
  receiver: string
  /** Only a payment in a later block pays the fee. */
  notBeforeBlock: number
  /** Milliseconds since 1970. */
  at: number
  state: 'unpaid' | 'paid' | 'cancelled' | 'lapsed'
}

export type Earning = {
  staker: string
  plan: string
  stake: Dct
  reward: Dct
  cycles: number
  /** Business days are counted from 1970. */
  startDay: number
  /** The last cycle that began. */
  through: number
  /** By cycle, from 1: whether it was credited; false if it lapsed. */
  credited: boolean[]
  /** Days on which it could not be claimed through no fault of its holder; for everybody see `Books.excused`. */
  excused: Set<number>
  claims: Claim[]
  /** When the stake ends, in milliseconds since 1970. */
  endsAt: number
  /** Claimable cycles that nobody claimed within 180 days after the end. */
  hasExpired: boolean
}

/** Cycles that count towards the freeze: those since the last claim, without excused days; none once all is over. */
export function countOf(earning: Earning, excused: ReadonlySet<number>, through: number): number {
  if (earning.hasExpired && unpaidClaim(earning) === undefined) return 0
  let count = 0
  for (let cycle = claimedThrough(earning) + 1; cycle <= through; cycle += 1) {
    const day = earning.startDay + cycle
    if (!excused.has(day) && !earning.excused.has(day)) count += 1
  }
  return count
}

/** The next cycle begins: it is credited or it lapses. */
export function beginCycle(earning: Earning, excused: ReadonlySet<number>): void {
  const cycle = earning.through + 1
  const day = earning.startDay + cycle
  const isExcused = excused.has(day) || earning.excused.has(day)
  const limit = freezeLimit(earning.reward, earning.cycles) + GRACE
  earning.credited[cycle] = isExcused || countOf(earning, excused, earning.through) < limit
  earning.through = cycle
}

/** The last cycle that a claim took. A cancelled claim took none. */
export function claimedThrough({ claims }: Earning): number {
  return claims.findLast(({ state }) => state !== 'cancelled')?.last ?? 0
}

/** What credited cycles pay together. */
export function creditedIn(earning: Earning, first: number, last: number): Dct {
  let sum = 0n
  for (let cycle = first; cycle <= last; cycle += 1) {
    if (earning.credited[cycle]) sum += cyclePays(earning.reward, earning.cycles, cycle)
  }
  return amount('DCT', sum)
}

export function claimable(earning: Earning): Dct {
  if (earning.hasExpired) return amount('DCT', 0n)
  return creditedIn(earning, claimedThrough(earning) + 1, earning.through)
}

export function unpaidClaim({ claims }: Earning): Claim | undefined {
  return claims.find(({ state }) => state === 'unpaid')
}

/** Whether a holder can claim now, apart from a price. */
export function mayClaim(earning: Earning): boolean {
  if (unpaidClaim(earning) !== undefined) return false
  const sum = claimable(earning)
  return earning.through === earning.cycles ? sum > 0n : sum >= MINIMUM_CLAIM
}

/** What the stake must have been paid in all: the halves sent at once, and whatever a paid fee released. */
export function owed({ claims }: Earning): Dct {
  const parts = claims.map(({ claimed, type, state }) => {
    const { now, later } = partsOf(claimed, type)
    if (state === 'cancelled') return 0n
    return state === 'paid' ? now + later : now
  })
  return amount(
    'DCT',
    parts.reduce((sum, part) => sum + part, 0n),
  )
}

/**
 * What a chain paid beyond what is owed (a stolen key, or a claim that a restored database lost) pays the oldest
 * unclaimed cycles, as many as it pays in full; the rest stays ahead of the next payment. Not while a fee is open: that
 * claim may still be cancelled.
 */
export function chargePaid(earning: Earning, paid: bigint, at: number): void {
  const ahead = paid - owed(earning)
  if (ahead <= 0n || unpaidClaim(earning) !== undefined) return
  const first = claimedThrough(earning) + 1
  let last = first - 1
  while (last < earning.through && creditedIn(earning, first, last + 1) <= ahead) last += 1
  const claimed = creditedIn(earning, first, last)
  if (claimed === 0n) return
  const nothing = amount('USDT', 0n)
  const fee: Fee = { base: nothing, cents: nothing }
  earning.claims.push({
    ...{ code: PAID_AHEAD, type: 'FULL', first, last, claimed, fee, at, state: 'paid' },
    ...{ asked: 0n, receiver: '', notBeforeBlock: 0 },
  })
}

/** In place of a code: nobody made this claim. */
export const PAID_AHEAD = 'paid ahead'

/** The most that a stake can ever have been paid by now: everything credited to it. */
export function creditedSoFar(earning: Earning): Dct {
  return creditedIn(earning, 1, earning.through)
}
