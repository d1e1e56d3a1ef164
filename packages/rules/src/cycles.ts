import type { Dct } from '@dct/money'
import { addDays, type BusinessDay, daysBetween } from './business-day.ts'
import { countingCycles, creditedCyclesLeft, firstClaimableCycle } from './freezing.ts'
import { rewardOfCycles } from './rewards.ts'

/** Consecutive cycles that lapsed; `last` is null while the stake is still lapsing. */
export type LapsedCycles = { first: number; last: number | null }

/** What is stored of a stake: facts of the chain, and decisions made since. Its days are computed from them. */
export type StakeFacts = {
  startDay: BusinessDay
  reward: Dct
  cycles: number
  /** Not overlapping, in order. */
  lapsed: readonly LapsedCycles[]
}

export type Cycle = {
  cycle: number
  day: BusinessDay
  /** What the cycle paid: nothing if it lapsed. */
  amount: Dct
  /** What was lost when the cycle lapsed; null if it was credited. */
  lapsed: Dct | null
}

/** The last cycle of a stake that was run, when its plan was run through that day. */
export function cycleOn(
  stake: Pick<StakeFacts, 'startDay' | 'cycles'>,
  throughDay: BusinessDay,
): number {
  return Math.max(0, Math.min(stake.cycles, daysBetween(stake.startDay, throughDay)))
}

/**
 * The cycles after `after` up to and including `through`, in order. The database has the same rule (`reward_cycles`);
 * computed-days.test.ts compares the two.
 */
export function cyclesOf(
  stake: StakeFacts,
  { after, through }: { after: number; through: number },
): Cycle[] {
  return Array.from({ length: Math.max(0, through - after) }, (_, at) => {
    const cycle = after + 1 + at
    const pays = rewardOfCycles(stake, { after: cycle - 1, through: cycle })
    const isLapsed = stake.lapsed.some(
      ({ first, last }) => first <= cycle && cycle <= (last ?? cycle),
    )
    const day = addDays(stake.startDay, cycle)
    return isLapsed
      ? { cycle, day, amount: 0n as Dct, lapsed: pays }
      : { cycle, day, amount: pays, lapsed: null }
  })
}

/**
 * The part of what the cycles after `after` up to and including `through` pay that lapsed. The database has the same
 * rule (`lapsed_reward`).
 */
export function lapsedOfCycles(
  stake: Pick<StakeFacts, 'reward' | 'cycles' | 'lapsed'>,
  { after, through }: { after: number; through: number },
): Dct {
  let sum = 0n
  for (const { first, last } of stake.lapsed) {
    const [from, to] = [Math.max(after, first - 1), Math.min(through, last ?? through)]
    if (from < to) sum += rewardOfCycles(stake, { after: from, through: to })
  }
  return sum as Dct
}

/** A stake and the decisions about it, as of a cycle. */
export type StakeHistory = StakeFacts & {
  /** The last cycle that was run. */
  cycle: number
  /** The last cycle of the last claim; 0 before the first one. */
  claimedThrough: number
  /** Cycles after that claim that fall on exempt days, for everybody or only for this stake. */
  exempt: number
  freezeLimit: number
  graceCycles: number
  minimumClaim: Dct
}

export type StakeState = {
  /** What all cycles paid so far, and what was lost. */
  credited: Dct
  lapsed: Dct
  /** What a claim made now would take. */
  claimable: { amount: Dct; firstCycle: number; lastCycle: number }
  /** The day on which the minimum claim is reached; null once it is. */
  claimableFrom: BusinessDay | null
  /** Cycles since the last claim that count towards freezing. */
  count: number
  /** The day on which the stake freezes, and the first day whose cycle lapses; null if past, or if it ends before. */
  freezesOn: BusinessDay | null
  lapsesFrom: BusinessDay | null
}

/** Which cycles of a stake paid, were lost or can be claimed, and when it freezes if no claim or exemption follows. */
export function stateOfStake(stake: StakeHistory): StakeState {
  const { cycle, cycles, startDay, freezeLimit } = stake
  const lapsed = lapsedOfCycles(stake, { after: 0, through: cycle })
  // A stake that expired counts as claimed to its end, even if its last cycles were never claimed.
  const unclaimed = { after: Math.min(cycle, stake.claimedThrough), through: cycle }
  const count = countingCycles(stake)
  const left = creditedCyclesLeft({ ...stake, count })
  const opens = firstClaimableCycle(stake)
  const dayAfter = (more: number) =>
    more > 0 && cycle + more <= cycles ? addDays(startDay, cycle + more) : null
  return {
    credited: (rewardOfCycles(stake, { after: 0, through: cycle }) - lapsed) as Dct,
    lapsed,
    claimable: {
      amount: (rewardOfCycles(stake, unclaimed) - lapsedOfCycles(stake, unclaimed)) as Dct,
      firstCycle: unclaimed.after + 1,
      lastCycle: cycle,
    },
    claimableFrom: opens > cycle ? addDays(startDay, opens) : null,
    count,
    freezesOn: dayAfter(freezeLimit - count),
    lapsesFrom: dayAfter(left + 1),
  }
}
