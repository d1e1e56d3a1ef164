import { type Dct, divide } from '@dct/money'
import { FREEZE_AFTER_CYCLES, FREEZE_WARNINGS, SHORT_CLAIM_WINDOW_DAYS } from './constants.ts'
import { rewardThrough } from './rewards.ts'

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

/**
 * The cycle with which the minimum claim is reached after the cycles already claimed: the first cycle after which a
 * claim is possible. It is the last cycle if the rest of the reward is less than the minimum, because no minimum
 * applies then.
 */
export function firstClaimableCycle(terms: {
  reward: Dct
  cycles: number
  claimedThrough: number
  minimumClaim: Dct
}): number {
  const { reward, cycles, claimedThrough, minimumClaim } = terms
  if (reward === 0n) return cycles
  const needed = rewardThrough({ reward, cycles, cycle: claimedThrough }) + minimumClaim
  return Math.min(cycles, Number(divide(needed * BigInt(cycles), reward, 'up')))
}

/** Business days, counted from the start, of the claim that must follow the cycles already claimed. */
export type ClaimWindow = {
  /** From this day on a claim is possible. */
  opens: number
  /** On this day the earning freezes without a claim. */
  freezes: number
  /** The cycle of this day is the first that is lost without a claim. */
  lapses: number
}

/** When the next claim is possible and by when it must be made, if no further day is exempt. */
export function claimWindow(terms: {
  reward: Dct
  cycles: number
  claimedThrough: number
  minimumClaim: Dct
  graceCycles: number
}): ClaimWindow {
  const freezes = terms.claimedThrough + freezeLimit(terms)
  return {
    opens: firstClaimableCycle(terms),
    freezes,
    lapses: freezes + terms.graceCycles + 1,
  }
}

/**
 * Whether the time between the first possible claim and the freeze leaves a holder `enough` days, only a `short` time,
 * or none at all: then the claim is possible only within the `grace`, before cycles are lost.
 */
export function claimTime({ opens, freezes }: ClaimWindow): 'enough' | 'short' | 'grace' {
  if (opens >= freezes) return 'grace'
  return freezes - opens < SHORT_CLAIM_WINDOW_DAYS ? 'short' : 'enough'
}

/** The facts that determine the counting cycles of an earning. All are numbers of cycles. */
export type CycleFacts = {
  /** The last cycle that was run. */
  cycle: number
  /** The last cycle of the last claim; 0 before the first one. */
  claimedThrough: number
  /** Cycles after that claim that fall on exempt days, for everybody or only for this earning. */
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
