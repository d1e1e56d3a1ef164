/**
 * The money rules of the product in formulas, as its page of rules states them. Amounts are whole base units: 1 DCT is
 * 1,000,000 of them, 1 USDT is 10^18. Divisions round down unless a comment says otherwise.
 */
import { amount, type Dct, divide, type Usdt } from '@dct/money'

const DCT = 1_000_000n
const USDT = 10n ** 18n
const MICRO_USDT = USDT / 1_000_000n
const CENT = USDT / 100n

/** A claim needs this much, except after the last cycle. */
export const MINIMUM_CLAIM = (6n * DCT) / 10n
/** Cycles that are still credited after the freeze. */
export const GRACE = 3
/** A cancelled or paid fee's amount is not used again for so many days. */
export const AMOUNT_HELD_DAYS = 90
export const CANCEL_AFTER_HOURS = 24
export const CLAIM_DAYS_AFTER_END = 180
export const FEE_DAYS_AFTER_END = 210

/** What a stake earns over its whole plan. `rateBps`: hundredths of a percent. */
export function rewardOf(stake: Dct, rateBps: bigint): Dct {
  return amount('DCT', (stake * rateBps) / 10_000n)
}

/** What cycle n of N pays. All cycles together pay exactly the reward. */
export function cyclePays(reward: Dct, cycles: number, cycle: number): Dct {
  const through = (n: number) => (reward * BigInt(n)) / BigInt(cycles)
  return amount('DCT', through(cycle) - through(cycle - 1))
}

/** The number of counting cycles without a claim at which an earning freezes. */
export function freezeLimit(reward: Dct, cycles: number): number {
  const forMinimum = Number(divide(MINIMUM_CLAIM * BigInt(cycles), reward, 'up'))
  return Math.max(30, forMinimum)
}

export type ClaimType = 'FULL' | 'HALF'

/** What of a claim is sent at once, and what waits for the fee. */
export function partsOf(claimed: Dct, type: ClaimType): { now: Dct; later: Dct } {
  const now = type === 'HALF' ? claimed / 2n : 0n
  return { now: amount('DCT', now), later: amount('DCT', claimed - now) }
}

/** `price`: USDT for 1 DCT, with 8 decimals. */
export type FeeTerms = { price: bigint; energyFee: Usdt }
export type Fee = {
  /** F: 40 % of the claim in USDT. What referrers' shares are taken of. */
  base: Usdt
  /** What is asked for, without the digits that make it unique. */
  cents: Usdt
}

/** The fee of a claim, the same for FULL and HALF. */
export function feeOf(claimed: Dct, { price, energyFee }: FeeTerms): Fee {
  const unpaidDct = (claimed * 40n) / 100n
  const exact = (unpaidDct * price * USDT) / (DCT * 10n ** 8n)
  const base = exact - (exact % MICRO_USDT)
  const cents = divide(base + energyFee, CENT, 'up') * CENT
  return { base: amount('USDT', base), cents: amount('USDT', cents) }
}

/**
 * Why an amount can't be the one that is asked for this fee; undefined if it can. It is the cents and a tail of
 * 0.000001 to 0.009999 whose sixth decimal is not 0; only when all tails of a cent are used, the next cent.
 */
export function wrongAmount(asked: bigint, { cents }: Fee): string | undefined {
  const tail = asked - cents
  if (tail <= 0n || tail >= CENT) return `${asked} is not ${cents} and a tail`
  if (tail % MICRO_USDT !== 0n) return `the tail of ${asked} has more than 6 decimals`
  if ((tail / MICRO_USDT) % 10n === 0n) return `the sixth decimal of ${asked} is 0`
  return undefined
}

/** An amount without the digits that make it unique. */
export function centsIn(asked: bigint): bigint {
  return asked - (asked % CENT)
}

/** Whether an amount ends as those do that are asked for. */
export function hasTail(value: bigint): boolean {
  return value % MICRO_USDT === 0n && (value / MICRO_USDT) % 10n !== 0n
}

/** `share` of a fee, in hundredths of a percent, with 6 decimals. */
export function shareOf(base: Usdt, shareBps: bigint): Usdt {
  const exact = (base * shareBps) / 10_000n
  return amount('USDT', exact - (exact % MICRO_USDT))
}
