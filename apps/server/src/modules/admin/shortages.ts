import type { MeanName, MoneyWarningCode } from '@dct/api-contract/operations'
import type { DayFigures, StoredReading } from './means.queries.ts'
import { dctOwed, type MoneyPosition } from './money-position.queries.ts'
import { poolOf } from './read-means.ts'

/** Amounts in base units of what the subject holds. */
export type Shortage = {
  code: MoneyWarningCode
  severity: 'warn' | 'bad'
  /** A plan's code or the name of a mean. */
  subject: string
  there?: bigint
  needed?: bigint
  days?: number
}

type Look = {
  position: MoneyPosition
  readings: ReadonlyMap<string, StoredReading>
  days: readonly DayFigures[]
  /** Real time. */
  now: Date
}

const STALE_AFTER_MS = 5 * 60_000
/** Sun that one payout burns when no energy is staked, rounded up. */
const SUN_A_PAYOUT = 30_000_000n
/** Wei that one USDT transfer costs at a price that is high for BSC. */
const WEI_A_PAYOUT = 500_000_000_000_000n
/** The payouts that wait, and so many more, must be payable; with a tenth of it things are bad. */
const PAYOUTS_AHEAD = 100n
/** A plan with less than this part of its reward left takes new joins for not much longer. */
const NEARLY_FULL_PART = 10n
const RUNS_DRY_WITHIN_DAYS = 14
const WATCHED: readonly MeanName[] = ['reward_pool', 'operator_trx', 'payout_usdt', 'payout_bnb']
const SPENT: readonly MeanName[] = ['operator_trx', 'payout_usdt', 'payout_bnb']

/** Whether nobody can say any more what this holds. */
export function isStale(reading: StoredReading | undefined, now: Date): boolean {
  const readAt = reading?.readAt
  return readAt == null || now.getTime() - readAt.getTime() > STALE_AFTER_MS
}

/** What runs dry, what is short already, and what cannot be told; the worst first. */
export function findShortages(look: Look): Shortage[] {
  const found = [
    ...unknownMeans(look),
    ...look.position.plans.flatMap((one) => planShortages(one, look)),
    ...walletShortages(look),
    ...gasShortages(look),
    ...SPENT.flatMap((name): Shortage[] => {
      const days = lastsDays(name, look)
      if (days === undefined || days >= RUNS_DRY_WITHIN_DAYS) return []
      return [{ code: 'RUNS_DRY', severity: 'warn', subject: name, days }]
    }),
  ]
  return found.toSorted((a, b) => Number(b.severity === 'bad') - Number(a.severity === 'bad'))
}

function unknownMeans({ readings, now }: Look): Shortage[] {
  return WATCHED.filter((name) => isStale(readings.get(name), now)).map((name) => ({
    code: 'MEANS_UNKNOWN',
    severity: 'bad',
    subject: name,
  }))
}

function planShortages(
  { plan, figures }: MoneyPosition['plans'][number],
  { readings }: Look,
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

function walletShortages({ position, readings }: Look): Shortage[] {
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

function gasShortages({ position, readings }: Look): Shortage[] {
  const { tron, bsc } = position.openPayouts
  const gas = [
    { code: 'TRX_LOW', subject: 'operator_trx', waiting: tron, cost: SUN_A_PAYOUT },
    { code: 'BNB_LOW', subject: 'payout_bnb', waiting: bsc, cost: WEI_A_PAYOUT },
  ] as const
  return gas.flatMap(({ code, subject, waiting, cost }): Shortage[] => {
    const there = readings.get(subject)?.amount ?? undefined
    const needed = (BigInt(waiting) + PAYOUTS_AHEAD) * cost
    if (there === undefined || there >= needed) return []
    const isBad = there < (BigInt(waiting) + PAYOUTS_AHEAD / 10n) * cost
    return [{ code, severity: isBad ? 'bad' : 'warn', subject, there, needed }]
  })
}

/**
 * For how many whole days a mean lasts if it falls on as it did; top-ups do not count against the pace. Undefined where
 * it did not fall, or where nobody can tell.
 */
export function lastsDays(
  name: MeanName,
  { days, readings }: Pick<Look, 'days' | 'readings'>,
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
