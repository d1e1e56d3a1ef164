import { amount as brand, type Dct, DECIMALS, parseUnits, type Usdt } from '@dct/money'
import { addDays, type BusinessDay } from '@dct/rules/business-day'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import {
  byClaimKind,
  type ClaimKind,
  type ClaimParts,
  dctInUsdt,
  feeParts,
  splitClaim,
} from '@dct/rules/fees'
import { claimTime, claimWindow, creditedCyclesLeft, freezeLimit } from '@dct/rules/freezing'
import { parsePercentage } from '@dct/rules/percentages'
import { rewardOf } from '@dct/rules/quota'
import { dailyReward, rewardOfCycles, rewardThrough } from '@dct/rules/rewards'

const DECIMALS_OF_USDT = BigInt(DECIMALS.USDT)

/** The inputs of the calculation, apart from the amount. */
export type CalculatorFacts = {
  totalPercentage: string
  cycles: number
  dctDecimals: number
  /** USDT for one DCT with 8 decimals; undefined if there is no current price. */
  price: bigint | undefined
  energyFee: Usdt
  minimumClaim: Dct
  /** The number of cycles still credited after the freeze. */
  graceCycles: number
  today: BusinessDay
}

export type Outcome = {
  dailyReward: Dct
  reward: Dct
  /** The number of counted cycles after which the earning freezes. */
  freezeAfter: number
  capitalReturns: BusinessDay
  /** The minimum number of claims, if each one is made at the last moment. */
  claims: number
  /** The first of these claims: its amount, and what each type sends of it now and after the fee is paid. */
  oneClaim: { claimed: Dct; parts: Record<ClaimKind, ClaimParts> }
  /** From when the first claim is possible, before when it must be made, and how many days that leaves. */
  firstClaim: {
    from: BusinessDay
    before: BusinessDay
    days: number
    time: 'enough' | 'short' | 'grace'
  }
  /** What is credited to a holder who never claims, and what is lost. */
  neverClaimed: { credited: Dct; lost: Dct }
  /** In USDT; undefined without a price. */
  money: Money | undefined
}

export type Money = {
  /** All rewards at the current price. */
  value: Usdt
  /** The maximum fee of one claim. */
  feePerClaim: Usdt
  /** The maximum fees of all claims. */
  fees: Usdt
  /** `value - fees`; can be negative. */
  net: bigint
  /** `net` in DCT, rounded towards zero. */
  netDct: bigint
  /** Below this price (8 decimals) the fees exceed the rewards' value. */
  breakEven: bigint | undefined
}

/** Calculates what joining with `amount` would yield and cost, by the same rules that the service's books follow. */
export function calculate(amount: Dct, facts: CalculatorFacts): Outcome {
  const { cycles, minimumClaim } = facts
  const reward = rewardOf(amount, parsePercentage(facts.totalPercentage))
  const freezeAfter = freezeLimit({ reward, cycles, minimumClaim })
  const claimed = claimSizes(reward, cycles, freezeAfter)
  const first = claimed[0] ?? brand('DCT', 0n)
  const { graceCycles } = facts
  const unclaimed = creditedCyclesLeft({ count: 0, freezeLimit: freezeAfter, graceCycles })
  const lastCredited = Math.min(cycles, unclaimed)
  const credited = rewardThrough({ reward, cycles, cycle: lastCredited })
  return {
    dailyReward: dailyReward({ reward, cycles }),
    reward,
    freezeAfter,
    capitalReturns: addDays(facts.today, cycles),
    claims: claimed.length,
    oneClaim: { claimed: first, parts: byClaimKind((kind) => splitClaim(first, kind)) },
    firstClaim: firstClaimOf(reward, facts),
    neverClaimed: { credited, lost: brand('DCT', reward - credited) },
    money: facts.price === undefined ? undefined : moneyOf(reward, claimed, facts, facts.price),
  }
}

function firstClaimOf(reward: Dct, facts: CalculatorFacts): Outcome['firstClaim'] {
  const { cycles, minimumClaim, graceCycles, today } = facts
  const window = claimWindow({ reward, cycles, claimedThrough: 0, minimumClaim, graceCycles })
  const time = claimTime(window)
  const last = time === 'grace' ? window.lapses : window.freezes
  return {
    from: addDays(today, window.opens),
    before: addDays(today, last),
    days: last - window.opens,
    time,
  }
}

/** The claims of a holder who always claims at the last moment before the freeze. */
function claimSizes(reward: Dct, cycles: number, every: number): Dct[] {
  const sizes: Dct[] = []
  for (let from = 0; from < cycles; from += every) {
    const through = Math.min(from + every, cycles)
    sizes.push(rewardOfCycles({ reward, cycles }, { after: from, through }))
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
 * Fees have a part proportional to the price and a fixed part (energy, rounding). The break-even price is the lowest at
 * which the rewards, less the proportional part, cover the fixed part.
 * @returns undefined if no price is high enough
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

/** Parses the service's price string. */
export function readPrice(text: string | null): bigint | undefined {
  return text === null ? undefined : parseUnits(text, PRICE_DECIMALS)
}
