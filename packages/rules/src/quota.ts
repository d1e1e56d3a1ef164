import { amount, applyRate, type Bps, type Dct, divide } from '@dct/money'

/** How much of one business day's quota has been used. All in base units of DCT rewards. */
export type DayQuota = {
  /** The daily limit that applied on that day. */
  limit: bigint
  /** The unused quota of earlier days, while the carry-over is on. */
  carry: bigint
  promised: bigint
  /** Reserved for holders who are about to sign. */
  reserved: bigint
}

/** The total reward of a stake, calculated as in the contract: floor(amount * bps / 10,000). */
export function rewardOf(stake: Dct, rate: Bps): Dct {
  return applyRate(stake, rate, 'down')
}

/** The most that can be locked in total before a plan's rewards are used up. */
export function maxTokenAllowed(totalReward: Dct, rate: Bps): Dct {
  return amount('DCT', rate === 0n ? 0n : divide(totalReward * 10_000n, rate, 'down'))
}

/** The remaining quota of a day, never below 0, although stakes without a reservation may overdraw it. */
export function remainingOf(day: DayQuota): bigint {
  return notNegative(day.limit + day.carry - day.promised - day.reserved)
}

/**
 * What a day carries over to a later one while the carry-over is on. `idleDays` is the number of days between the two,
 * on which nothing was promised and the earlier day's limit applied. An overdrawn day carries over nothing, but leaves
 * no debt either.
 */
export function carryFrom(day: DayQuota, idleDays: number): bigint {
  return remainingOf(day) + BigInt(idleDays) * day.limit
}

/** What the plan can still promise: limited by its own total and by the free funds in the contract. */
export function remainingAnnual(plan: {
  totalReward: bigint
  promised: bigint
  reserved: bigint
  /** Funds in the contract that no stake has reserved. */
  poolFree: bigint
}): bigint {
  const unpromised = plan.totalReward - plan.promised
  if (plan.poolFree < unpromised) return notNegative(plan.poolFree - plan.reserved)
  return notNegative(unpromised - plan.reserved)
}

function notNegative(value: bigint): bigint {
  if (value < 0n) return 0n
  return value
}
