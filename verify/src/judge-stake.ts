import { type Dct, formatUnits } from '@dct/money'
import { businessDayOf } from '@dct/rules/business-day'
import { cycleOn } from '@dct/rules/cycles'
import { rewardThrough } from '@dct/rules/rewards'
import type { WalletFacts, WalletStake } from './read-wallet.ts'

const BPS_DENOMINATOR = 10_000n

/** A sentence for the holder, and what would be seen instead if the operator lied about it. */
export type Sentence = {
  readonly isGood: boolean
  readonly text: string
  readonly otherwise: string
}

/** What the product's own rules make of a stake on a day. */
export function recompute(stake: WalletStake, now: Date) {
  const cycles = stake.plan.durationDays
  const cycle = cycleOn({ startDay: businessDayOf(stake.start), cycles }, businessDayOf(now))
  const reward = (stake.amount * BigInt(stake.plan.totalBps)) / BPS_DENOMINATOR
  const through = (last: number) => rewardThrough({ reward: reward as Dct, cycles, cycle: last })
  return { cycle, cycles, reward, credited: through(cycle), through }
}

/** Compares what a stake is promised, was paid and can be paid with what the product's rules make of it. */
export function judgeStake(stake: WalletStake, { decimals, at }: WalletFacts): Sentence[] {
  const dct = (units: bigint) => `${formatUnits(units, decimals)} DCT`
  const { reward, credited, cycle, cycles } = recompute(stake, at.time)
  const vested = stake.paid + stake.payableNow
  const rest = stake.promised - stake.paid
  return [
    sentence(
      stake.reward === reward && stake.promised === reward,
      `promised: ${dct(stake.promised)} for ${dct(stake.amount)} over ${cycles} days; by the plan's terms it is ${dct(reward)}`,
      `your pages would show another promise than ${dct(stake.promised)}; the contract fixed it at the join, and nobody can change it`,
    ),
    sentence(
      vested >= credited,
      `${cycle} of ${cycles} cycles have passed, which pay ${dct(credited)}; the contract lets ${dct(vested)} be paid by now`,
      `your pages would have credited another amount than ${dct(credited)}, which these dates and terms make`,
    ),
    sentence(
      stake.paid <= stake.promised && stake.paid <= vested,
      `paid: ${dct(stake.paid)}, so ${dct(rest)} of the promise is left`,
      `your pages would list claims as paid that add up to more than ${dct(stake.paid)}`,
    ),
    sentence(
      stake.plan.reserved >= rest,
      `reserved in the plan for all its holders: ${dct(stake.plan.reserved)}, which covers these ${dct(rest)}`,
      `less would be reserved for all holders together than the ${dct(rest)} that are left for you alone`,
    ),
    sentence(
      true,
      capitalOf(stake, dct),
      stake.isReleased
        ? `your wallet's own history would have no transfer of ${dct(stake.amount)} from the staking contract`
        : `your pages would show another amount than ${dct(stake.amount)}, or a later end`,
    ),
  ]
}

function capitalOf(stake: WalletStake, dct: (units: bigint) => string): string {
  if (stake.isReleased) return `capital: ${dct(stake.amount)} went back to this wallet`
  const end = stake.end.toISOString()
  return `capital: ${dct(stake.amount)} is locked; from ${end} anybody can have it sent to this wallet, and to no other`
}

/** Compares what the contracts hold with what they owe to everybody. */
export function judgeContracts(facts: WalletFacts): Sentence[] {
  const dct = (units: bigint) => `${formatUnits(units, facts.decimals)} DCT`
  const owed = facts.plans.reduce(
    (sum, { funded, withdrawn, paid }) => sum + funded - withdrawn - paid,
    0n,
  )
  return [
    sentence(
      facts.stakingHolds >= facts.totalLocked,
      `all holders have locked ${dct(facts.totalLocked)}, and the staking contract holds ${dct(facts.stakingHolds)}`,
      `the staking contract would hold less than ${dct(facts.totalLocked)}`,
    ),
    sentence(
      facts.poolHolds >= owed,
      `these plans must hold ${dct(owed)}, and the reward pool holds ${dct(facts.poolHolds)}`,
      `the reward pool would hold less than ${dct(owed)}`,
    ),
    ...facts.plans.map((plan) =>
      sentence(
        plan.funded >= plan.paid + plan.reserved + plan.withdrawn,
        `${plan.code}: funded ${dct(plan.funded)}, paid ${dct(plan.paid)}, reserved ${dct(plan.reserved)}, withdrawn ${dct(plan.withdrawn)}`,
        `paid, reserved and withdrawn would add up to more than ${dct(plan.funded)}`,
      ),
    ),
  ]
}

/** Every cycle so far with what it pays, by the product's rules. */
export function listCycles(stake: WalletStake, { decimals, at }: WalletFacts): string[] {
  const { cycle, through } = recompute(stake, at.time)
  return Array.from({ length: cycle }, (_, index) => {
    const pays = through(index + 1) - through(index)
    return `cycle ${index + 1}: ${formatUnits(pays, decimals)} DCT`
  })
}

const sentence = (isGood: boolean, text: string, otherwise: string): Sentence => ({
  ...{ isGood, text, otherwise },
})
