import { amount, applyRate, type Bps, type Dct, divide } from '@dct/money'

/** What of one business day's quota is given away. All in base units of DCT rewards. */
export type DayQuota = {
  /** The daily limit as it was on that day. */
  limit: bigint
  /** What earlier days left over, while the carry-over is on. */
  carry: bigint
  promised: bigint
  /** Held for people whose wallet is about to sign. */
  reserved: bigint
}

/** The whole reward of a stake, the same in contract and server: floor(amount * bps / 10,000). */
export function rewardOf(stake: Dct, rate: Bps): Dct {
  return applyRate(stake, rate, 'down')
}

/** How much can be locked in all before a plan's rewards are used up. */
export function maxTokenAllowed(totalReward: Dct, rate: Bps): Dct {
  return amount('DCT', rate === 0n ? 0n : divide(totalReward * 10_000n, rate, 'down'))
}

/** What is left of a day, never below 0: a stake that was mined without a place is honoured all the same. */
export function remainingOf(day: DayQuota): bigint {
  return notNegative(day.limit + day.carry - day.promised - day.reserved)
}

/**
 * What a day hands on to a later one while the carry-over is on. `idleDays` lie between the two;
 * nothing was promised on them and the limit was the earlier day's. A day that gave away more than
 * it had hands on nothing, but leaves no debt.
 */
export function carryFrom(day: DayQuota, idleDays: number): bigint {
  return remainingOf(day) + BigInt(idleDays) * day.limit
}

/** What the plan can still promise: bounded by its own total and by the contract's free means. */
export function remainingAnnual(plan: {
  totalReward: bigint
  promised: bigint
  reserved: bigint
  /** Means in the contract that no stake has reserved. */
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
