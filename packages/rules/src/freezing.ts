import { type Dct, divide } from '@dct/money'
import { FREEZE_AFTER_CYCLES, FREEZE_WARNINGS } from './constants.ts'

/**
 * Counting cycles without a claim at which an earning freezes: 30, or as many as it needs to reach the minimum claim,
 * whichever is more. Any `n` cycles in a row pay at least the floor of `n` parts, so this is enough from any claim on.
 */
export function freezeLimit(terms: { reward: Dct; cycles: number; minimumClaim: Dct }): number {
  if (terms.reward === 0n) return FREEZE_AFTER_CYCLES
  const needed = divide(terms.minimumClaim * BigInt(terms.cycles), terms.reward, 'up')
  return Math.max(FREEZE_AFTER_CYCLES, Number(needed))
}

/** What an earning's counting cycles follow from. All are counts of cycles. */
export type CycleFacts = {
  /** The last cycle that was run. */
  cycle: number
  /** The last cycle of the last claim; 0 before the first one. */
  claimedThrough: number
  /** Cycles after that claim whose day is excused, for everybody or for this earning alone. */
  excused: number
}

/** Cycles since the last claim that count towards freezing. */
export function countingCycles(facts: CycleFacts): number {
  return facts.cycle - facts.claimedThrough - facts.excused
}

/** Whether the next cycle is credited, given the counting cycles before it; else it lapses. */
export function isNextCycleCredited(facts: {
  countBefore: number
  freezeLimit: number
  graceCycles: number
}): boolean {
  return facts.countBefore < facts.freezeLimit + facts.graceCycles
}

export type FreezeReason = 'open_fee' | 'unclaimed'

/** Why an earning is frozen; null while it is not. An open fee is named first, as only its payment lets a claim in. */
export function freezeReason(facts: {
  count: number
  freezeLimit: number
  hasOpenFee: boolean
}): FreezeReason | null {
  if (facts.hasOpenFee) return 'open_fee'
  return facts.count >= facts.freezeLimit ? 'unclaimed' : null
}

/** The highest warning threshold that was reached; null below the first. Thresholds move with a higher limit. */
export function freezeWarning(facts: { count: number; freezeLimit: number }): number | null {
  const shift = facts.freezeLimit - FREEZE_AFTER_CYCLES
  const reached = FREEZE_WARNINGS.filter((threshold) => facts.count >= threshold + shift)
  const highest = reached.at(-1)
  return highest === undefined ? null : highest + shift
}
