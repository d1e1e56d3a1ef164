import { type Dct, divide } from '@dct/money'

/** The total that the first `cycle` of `cycles` cycles pay. After the last one it is exactly the whole reward. */
export function rewardThrough(terms: { reward: Dct; cycles: number; cycle: number }): Dct {
  const { reward, cycles, cycle } = terms
  if (cycle < 0 || cycle > cycles) throw new RangeError(`Cycle ${cycle} is not one of ${cycles}`)
  return divide(reward * BigInt(cycle), BigInt(cycles), 'down') as Dct
}

/**
 * The total that the cycles after `after` up to and including `through` pay. The server's daily run has the same rule
 * in SQL for one cycle (`insertDayRows`); distribution-rule.test.ts compares the two.
 */
export function rewardOfCycles(
  terms: { reward: Dct; cycles: number },
  { after, through }: { after: number; through: number },
): Dct {
  const before = rewardThrough({ ...terms, cycle: after })
  return (rewardThrough({ ...terms, cycle: through }) - before) as Dct
}

/** The displayed reward of one cycle: rounded down, so never more than any cycle pays. */
export function dailyReward(terms: { reward: Dct; cycles: number }): Dct {
  return divide(terms.reward, BigInt(terms.cycles), 'down') as Dct
}
