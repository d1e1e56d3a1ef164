import type { FundName, MoneyWarningCode } from '@dct/api-contract/operations'
import { msSince } from '../../platform/clock.ts'
import type { DayFigures, StoredReading } from './funds.queries.ts'
import { dctOwed, type MoneyPosition } from './money-position.queries.ts'
import { averageFee, type EnergyPrices, type PayoutCosts, usdtOfSun } from './payout-costs.ts'
import { poolOf } from './read-funds.ts'

/** Amounts in base units of the subject's asset. */
export type Shortage = {
  code: MoneyWarningCode
  severity: 'warn' | 'bad'
  /** A plan's code or the name of a reading. */
  subject: string
  there?: bigint
  needed?: bigint
  days?: number
}

type Inputs = {
  position: MoneyPosition
  readings: ReadonlyMap<string, StoredReading>
  days: readonly DayFigures[]
  costs: PayoutCosts
  prices: EnergyPrices
  /** Real time. */
  now: Date
}

const STALE_AFTER_MS = 5 * 60_000
export const GAS_PER_PAYOUT = {
  /** Sun burned by one payout without staked energy: 8.8 TRX on a real node with mainnet's prices, rounded up. */
  TRX: 10_000_000n,
  /** Wei for one USDT transfer at a gas price that is high for BSC. */
  BNB: 500_000_000_000_000n,
} as const
/**
 * The gas must cover the waiting payouts and this many more; if it does not even cover a tenth of this many more, the
 * shortage is `bad`.
 */
const PAYOUTS_AHEAD = 100n
/** A plan with less than one part in this many of its reward left will soon accept no more stakes. */
const NEARLY_FULL_PART = 10n
const RUNS_DRY_WITHIN_DAYS = 14
const WATCHED: readonly FundName[] = ['reward_pool', 'operator_trx', 'payout_usdt', 'payout_bnb']
const SPENT: readonly FundName[] = ['operator_trx', 'payout_usdt', 'payout_bnb']

/** Whether the reading is too old to rely on. */
export function isStale(reading: StoredReading | undefined, now: Date): boolean {
  return msSince(reading?.readAt, now) > STALE_AFTER_MS
}

/** Finds the funds that are short, will soon run out or are unknown; the worst first. */
export function findShortages(inputs: Inputs): Shortage[] {
  const found = [
    ...unknownFunds(inputs),
    ...inputs.position.plans.flatMap((one) => planShortages(one, inputs)),
    ...walletShortages(inputs),
    ...gasShortages(inputs),
    ...lowEnergyFee(inputs),
    ...SPENT.flatMap((name): Shortage[] => {
      const days = lastsDays(name, inputs)
      if (days === undefined || days >= RUNS_DRY_WITHIN_DAYS) return []
      return [{ code: 'RUNS_DRY', severity: 'warn', subject: name, days }]
    }),
  ]
  return found.toSorted((a, b) => Number(b.severity === 'bad') - Number(a.severity === 'bad'))
}

function unknownFunds({ readings, now }: Inputs): Shortage[] {
  return WATCHED.filter((name) => isStale(readings.get(name), now)).map((name) => ({
    code: 'FUNDS_UNKNOWN',
    severity: 'bad',
    subject: name,
  }))
}

function planShortages(
  { plan, figures }: MoneyPosition['plans'][number],
  { readings }: Inputs,
): Shortage[] {
  const found: Shortage[] = []
  const there = readings.get(poolOf(plan.code))?.amount ?? undefined
  const needed = dctOwed(figures)
  if (there !== undefined && there < needed) {
    found.push({ code: 'POOL_SHORT', severity: 'bad', subject: plan.code, there, needed })
  }
  const least = plan.totalReward / NEARLY_FULL_PART
  if (plan.isActive && figures.free < least) {
    const left = { there: figures.free, needed: least }
    found.push({ code: 'PLAN_NEARLY_FULL', severity: 'warn', subject: plan.code, ...left })
  }
  return found
}

function walletShortages({ position, readings }: Inputs): Shortage[] {
  const there = readings.get('payout_usdt')?.amount ?? undefined
  if (there === undefined) return []
  const { awaitingPayout, referralRequested, referralUnclaimed } = position.usdt
  const now = awaitingPayout + referralRequested
  const later = now + referralUnclaimed
  const subject = 'payout_usdt'
  if (there < now) {
    return [{ code: 'WALLET_SHORT_NOW', severity: 'bad', subject, there, needed: now }]
  }
  if (there < later) {
    return [{ code: 'WALLET_SHORT_LATER', severity: 'warn', subject, there, needed: later }]
  }
  return []
}

function gasShortages({ position, readings }: Inputs): Shortage[] {
  const { tron, bsc } = position.openPayouts
  const gas = [
    { code: 'TRX_LOW', subject: 'operator_trx', waiting: tron, cost: GAS_PER_PAYOUT.TRX },
    { code: 'BNB_LOW', subject: 'payout_bnb', waiting: bsc, cost: GAS_PER_PAYOUT.BNB },
  ] as const
  return gas.flatMap(({ code, subject, waiting, cost }): Shortage[] => {
    const there = readings.get(subject)?.amount ?? undefined
    const { needed, least } = gasNeeded(waiting, cost)
    if (there === undefined || there >= needed) return []
    const isBad = there < least
    return [{ code, severity: isBad ? 'bad' : 'warn', subject, there, needed }]
  })
}

/** The gas for this many waiting payouts and those that may follow. A balance below `least` is a `bad` shortage. */
export function gasNeeded(waiting: number, cost: bigint): { needed: bigint; least: bigint } {
  return {
    needed: (BigInt(waiting) + PAYOUTS_AHEAD) * cost,
    least: (BigInt(waiting) + PAYOUTS_AHEAD / 10n) * cost,
  }
}

/** Warns when the energy part of a fee is less than the cost of one payout. A HALF claim even takes two payouts. */
function lowEnergyFee({ costs, prices }: Inputs): Shortage[] {
  const sun = averageFee(costs.rewardPayouts)
  const needed = sun === undefined ? 0n : usdtOfSun(sun, prices)
  if (needed <= prices.energyFee) return []
  const subject = 'operator_trx'
  return [{ code: 'ENERGY_FEE_LOW', severity: 'warn', subject, there: prices.energyFee, needed }]
}

/**
 * The number of whole days that a balance lasts at its recent rate of decrease, not counting top-ups. Undefined when it
 * did not decrease or is unknown.
 */
export function lastsDays(
  name: FundName,
  { days, readings }: Pick<Inputs, 'days' | 'readings'>,
): number | undefined {
  const there = readings.get(name)?.amount ?? undefined
  const known = days.flatMap(({ figures }) => figures.get(name) ?? [])
  const steps = BigInt(known.length - 1)
  if (there === undefined || steps < 1n) return undefined
  const spent = known.slice(1).reduce((sum, amount, index) => {
    const fell = (known[index] ?? 0n) - amount
    return fell > 0n ? sum + fell : sum
  }, 0n)
  return spent === 0n ? undefined : Number((there * steps) / spent)
}
