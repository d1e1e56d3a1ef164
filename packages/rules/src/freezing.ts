import { type Dct, divide } from '@dct/money'
import { FREEZE_AFTER_CYCLES, FREEZE_WARNINGS } from './constants.ts'

/**
 * The number of counting cycles without a claim at which an earning freezes: 30, or as many as it takes to reach the
 * minimum claim if that is more. Any `n` consecutive cycles pay at least `n` shares rounded down, so this suffices
 * after any claim.
 */
export function freezeLimit(terms: { reward: Dct; cycles: number; minimumClaim: Dct }): number {
  if (terms.reward === 0n) return FREEZE_AFTER_CYCLES
  const needed = divide(terms.minimumClaim * BigInt(terms.cycles), terms.reward, 'up')
  return Math.max(FREEZE_AFTER_CYCLES, Number(needed))
}

/** The facts that determine the counting cycles of an earning. All are numbers of cycles. */
export type CycleFacts = {
  /** The last cycle that was run. */
  cycle: number
  /** The last cycle of the last claim; 0 before the first one. */
  claimedThrough: number
  /** Cycles after that claim that fall on exempt days, for everybody or for this earning alone. */
  exempt: number
}

/** Cycles since the last claim that count towards freezing. */
export function countingCycles(facts: CycleFacts): number {
  return facts.cycle - facts.claimedThrough - facts.exempt
}

/**
 * How many more cycles are credited without a claim, given the number of counting cycles so far; the ones after them
 * lapse. The server's daily run has the same rule in SQL (`insertDayRows`); distribution-rule.test.ts compares the two.
 */
export function creditedCyclesLeft(facts: {
  count: number
  freezeLimit: number
  graceCycles: number
}): number {
  return Math.max(0, facts.freezeLimit + facts.graceCycles - facts.count)
}

export type FreezeReason = 'open_fee' | 'unclaimed'

/** Why an earning is frozen; null if it is not. An open fee comes first, as only its payment allows the next claim. */
export function freezeReason(facts: {
  count: number
  freezeLimit: number
  hasOpenFee: boolean
}): FreezeReason | null {
  if (facts.hasOpenFee) return 'open_fee'
  return facts.count >= facts.freezeLimit ? 'unclaimed' : null
}

/** The highest warning threshold that has been reached; null below the first. A higher limit shifts the thresholds. */
export function freezeWarning(facts: { count: number; freezeLimit: number }): number | null {
  const shift = facts.freezeLimit - FREEZE_AFTER_CYCLES
  const reached = FREEZE_WARNINGS.filter((threshold) => facts.count >= threshold + shift)
  const highest = reached.at(-1)
  return highest === undefined ? null : highest + shift
}
