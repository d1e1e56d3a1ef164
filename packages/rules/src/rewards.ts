import { type Dct, divide } from '@dct/money'

/** What the first `cycle` of `cycles` cycles pay together. After the last one it is the whole reward, to the unit. */
export function rewardThrough(terms: { reward: Dct; cycles: number; cycle: number }): Dct {
  const { reward, cycles, cycle } = terms
  if (cycle < 0 || cycle > cycles) throw new RangeError(`Cycle ${cycle} is not one of ${cycles}`)
  return divide(reward * BigInt(cycle), BigInt(cycles), 'down') as Dct
}

/** What cycle `cycle` (counted from 1) pays. Cycles differ by at most one unit and sum to the reward. */
export function cycleReward(terms: { reward: Dct; cycles: number; cycle: number }): Dct {
  if (terms.cycle < 1) throw new RangeError(`Cycles count from 1, not ${terms.cycle}`)
  const before = rewardThrough({ ...terms, cycle: terms.cycle - 1 })
  return (rewardThrough(terms) - before) as Dct
}

/** The reward of one cycle as it is shown: rounded down, so never more than any cycle pays. */
export function dailyReward(terms: { reward: Dct; cycles: number }): Dct {
  return divide(terms.reward, BigInt(terms.cycles), 'down') as Dct
}
