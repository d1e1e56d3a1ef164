import { amount as brand, type Dct, DECIMALS, parseUnits, type Usdt } from '@dct/money'
import { addDays, type BusinessDay } from '@dct/rules/business-day'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { dctInUsdt, feeParts, splitClaim } from '@dct/rules/fees'
import { freezeLimit } from '@dct/rules/freezing'
import { parsePercentage } from '@dct/rules/percentages'
import { rewardOf } from '@dct/rules/quota'
import { dailyReward, rewardThrough } from '@dct/rules/rewards'

const DECIMALS_OF_USDT = BigInt(DECIMALS.USDT)

/** What the outcome of a join follows from, besides the person's amount. */
export type CalculatorFacts = {
  totalPercentage: string
  cycles: number
  dctDecimals: number
  /** USDT for one DCT with 8 decimals; undefined while nobody set a current one. */
  price: bigint | undefined
  energyFee: Usdt
  minimumClaim: Dct
  /** Cycles that are still credited after the freeze. */
  graceCycles: number
  today: BusinessDay
}

export type Outcome = {
  dailyReward: Dct
  reward: Dct
  /** Counting cycles after which the earning freezes. */
  freezeAfter: number
  capitalReturns: BusinessDay
  /** How often one must claim at least, when each claim is made at the last moment. */
  claims: number
  /** One claim of that kind: what it holds, and what HALF sends of it at once. */
  oneClaim: { claimed: Dct; halfAtOnce: Dct; halfLater: Dct }
  /** What is credited to somebody who never claims, and what is lost by that. */
  neverClaimed: { credited: Dct; lost: Dct }
  /** In USDT; undefined without a price. */
  money: Money | undefined
}

export type Money = {
  /** All rewards at today's price. */
  value: Usdt
  /** The fee of one claim, at most. */
  feePerClaim: Usdt
  /** The fees of all claims, at most. */
  fees: Usdt
  /** `value - fees`; can be below zero. */
  net: bigint
  /** The same in DCT, rounded towards zero. */
  netDct: bigint
  /** Below this price (8 decimals) the fees cost more than the rewards bring. */
  breakEven: bigint | undefined
}

/** Works out what joining with `amount` would bring and cost, by the very rules that the service books with. */
export function calculate(amount: Dct, facts: CalculatorFacts): Outcome {
  const { cycles, minimumClaim } = facts
  const reward = rewardOf(amount, parsePercentage(facts.totalPercentage))
  const freezeAfter = freezeLimit({ reward, cycles, minimumClaim })
  const claimed = claimSizes(reward, cycles, freezeAfter)
  const first = claimed[0] ?? brand('DCT', 0n)
  const half = splitClaim(first, 'HALF')
  const lastCredited = Math.min(cycles, freezeAfter + facts.graceCycles)
  const credited = rewardThrough({ reward, cycles, cycle: lastCredited })
  return {
    dailyReward: dailyReward({ reward, cycles }),
    reward,
    freezeAfter,
    capitalReturns: addDays(facts.today, cycles),
    claims: claimed.length,
    oneClaim: { claimed: first, halfAtOnce: half.now, halfLater: half.later },
    neverClaimed: { credited, lost: brand('DCT', reward - credited) },
    money: facts.price === undefined ? undefined : moneyOf(reward, claimed, facts, facts.price),
  }
}

/** The claims of somebody who always claims at the last moment before the freeze. */
function claimSizes(reward: Dct, cycles: number, every: number): Dct[] {
  const sizes: Dct[] = []
  for (let from = 0; from < cycles; from += every) {
    const through = rewardThrough({ reward, cycles, cycle: Math.min(from + every, cycles) })
    const before = rewardThrough({ reward, cycles, cycle: from })
    sizes.push(brand('DCT', through - before))
  }
  return sizes
}

function moneyOf(
  reward: Dct,
  claims: readonly Dct[],
  { dctDecimals, energyFee }: CalculatorFacts,
  price: bigint,
): Money {
  const feeOf = (claimed: Dct) => feeParts({ claimed, dctDecimals, price, energyFee }).estimate
  const fees = brand(
    'USDT',
    claims.reduce((sum, claimed) => sum + feeOf(claimed), 0n),
  )
  const value = dctInUsdt(reward, dctDecimals, price)
  return {
    value,
    feePerClaim: feeOf(claims[0] ?? brand('DCT', 0n)),
    fees,
    net: value - fees,
    netDct: usdtInDct(value - fees, dctDecimals, price),
    breakEven: breakEvenPrice(value, fees, price, claims, { dctDecimals, energyFee }),
  }
}

function usdtInDct(usdt: bigint, dctDecimals: number, price: bigint): bigint {
  return (usdt * 10n ** BigInt(dctDecimals + PRICE_DECIMALS)) / (price * 10n ** DECIMALS_OF_USDT)
}

/**
 * Fees are a part that grows with the price and a part that does not (energy, rounding). The rewards pay for the
 * second part from the price on at which what is left of them after the first part covers it.
 */
function breakEvenPrice(
  value: Usdt,
  fees: Usdt,
  price: bigint,
  claims: readonly Dct[],
  { dctDecimals, energyFee }: Pick<CalculatorFacts, 'dctDecimals' | 'energyFee'>,
): bigint | undefined {
  const growing = claims.reduce(
    (sum, claimed) => sum + feeParts({ claimed, dctDecimals, price, energyFee }).feeUsdt,
    0n,
  )
  const left = value - growing
  return left > 0n ? ((fees - growing) * price) / left : undefined
}

/** Reads the service's price text. */
export function readPrice(text: string | null): bigint | undefined {
  return text === null ? undefined : parseUnits(text, PRICE_DECIMALS)
}
