import {
  FUND_ASSETS,
  FUND_NAMES,
  type FundName,
  type MoneyDay,
  MoneyHistoryQuery,
  MoneyHistoryReply,
  MoneyReply,
  type MoneyWarning,
  type PayoutCosts as WireCosts,
  type DctPosition as WireDct,
  type UsdtPosition as WireUsdt,
} from '@dct/api-contract/operations'
import { DECIMALS, formatUnits } from '@dct/money'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { readsOf } from '../../platform/http/http.ts'
import { moneySettings } from '../pricing/index.ts'
import { type DayFigures, daysSince, type StoredReading, storedReadings } from './funds.queries.ts'
import { PACE_DAYS } from './money-loop.ts'
import {
  type DctFigures,
  dctOwed,
  type MoneyPosition,
  moneyPosition,
  totalOf,
  type UsdtFigures,
  usdtOwed,
} from './money-position.queries.ts'
import {
  averageFee,
  COST_DAYS,
  type EnergyPrices,
  type PayoutCosts,
  payoutCosts,
  usdtOfSun,
} from './payout-costs.ts'
import { poolOf } from './read-funds.ts'
import { findShortages, isStale, lastsDays, type Shortage } from './shortages.ts'

export type MoneyRoutesDeps = {
  db: Db
  clock: Clock
  realClock: Clock
  dctDecimals: number
}

const config = { role: 'admin' } as const

/** What is owed and the funds to pay it, now and by day. */
export const moneyRoutes: FastifyPluginAsyncTypebox<MoneyRoutesDeps> = async (app, deps) => {
  const now = { response: { 200: MoneyReply } }
  app.get('/admin/money', { schema: now, config }, () => describeMoney(deps))

  const history = { querystring: MoneyHistoryQuery, response: { 200: MoneyHistoryReply } }
  app.get('/admin/money-history', { schema: history, config }, async (request) => {
    const reads = readsOf(request)
    const { days, plan_code: code = '' } = request.query
    const today = businessDayOf(deps.clock.now())
    const narrowed = code === '' ? {} : { planCode: code }
    const found = await daysSince(reads, { today, days, ...narrowed })
    const now = totalsNow(await moneyPosition(deps.db), code)
    return {
      days: found.map((day, index) => serializeDay(deps, day, found[index + 1]?.figures ?? now)),
    }
  })
}

async function describeMoney(deps: MoneyRoutesDeps): Promise<MoneyReply> {
  const { db, clock, realClock } = deps
  const now = realClock.now()
  const [position, readings, days, costs, prices] = await Promise.all([
    moneyPosition(db),
    storedReadings(db),
    daysSince(db, { today: businessDayOf(clock.now()), days: PACE_DAYS }),
    payoutCosts(db, clock.now()),
    moneySettings(db),
  ])
  const shortages = findShortages({ position, readings, days, costs, prices, now })
  return {
    dct: {
      total: serializeDct(deps, totalOf(position.plans)),
      plans: position.plans.map(({ plan, figures }) => ({
        plan_code: plan.code,
        pool_on_chain: serializeReading(readings.get(poolOf(plan.code)), deps.dctDecimals),
        ...serializeDct(deps, figures),
      })),
    },
    usdt: serializeUsdt(position.usdt),
    funds: FUND_NAMES.map((name) => ({
      name,
      asset: FUND_ASSETS[name],
      amount: serializeReading(readings.get(name), decimalsOf(deps, name)),
      read_at: readings.get(name)?.readAt?.toISOString() ?? null,
      is_stale: isStale(readings.get(name), now),
      lasts_days: lastsDays(name, { days, readings }) ?? null,
    })),
    costs: serializeCosts(prices, costs),
    warnings: shortages.map((shortage) => serializeShortage(deps, shortage)),
  }
}

function serializeDct({ dctDecimals }: MoneyRoutesDeps, figures: DctFigures): WireDct {
  const dct = (base: bigint) => formatUnits(base, dctDecimals)
  return {
    promised: dct(figures.promised),
    credited: dct(figures.credited),
    awaiting_fee: dct(figures.awaitingFee),
    awaiting_payout: dct(figures.awaitingPayout),
    owed: dct(dctOwed(figures)),
    lapsed: dct(figures.lapsed),
    free: dct(figures.free),
    pool_booked: dct(figures.pool),
    paid: dct(figures.paid),
    funded: dct(figures.pool + figures.paid),
  }
}

function serializeUsdt(figures: UsdtFigures): WireUsdt {
  const usdt = (base: bigint) => formatUnits(base, DECIMALS.USDT)
  return {
    referral_unclaimed: usdt(figures.referralUnclaimed),
    referral_requested: usdt(figures.referralRequested),
    awaiting_payout: usdt(figures.awaitingPayout),
    unmatched: usdt(figures.unmatched),
    owed: usdt(usdtOwed(figures)),
    payout_wallet_booked: usdt(figures.payoutWallet),
    fee_receiver_booked: usdt(figures.feeReceiver),
  }
}

function serializeCosts(prices: EnergyPrices, costs: PayoutCosts): WireCosts {
  const trx = (sun: bigint) => formatUnits(sun, DECIMALS.TRX)
  const usdt = (base: bigint) => formatUnits(base, DECIMALS.USDT)
  const each = averageFee(costs.rewardPayouts)
  return {
    days: COST_DAYS,
    reward_payouts: {
      ...{ count: costs.rewardPayouts.count, spent: trx(costs.rewardPayouts.fees) },
      each: each === undefined ? null : trx(each),
      each_usdt: each === undefined ? null : usdt(usdtOfSun(each, prices)),
    },
    operator_calls: { count: costs.operatorCalls.count, spent: trx(costs.operatorCalls.fees) },
    referral_payouts: {
      count: costs.referralPayouts.count,
      spent: formatUnits(costs.referralPayouts.fees, DECIMALS.BNB),
    },
    trx_price: usdt(prices.trxPrice),
    energy_fee: usdt(prices.energyFee),
    energy_fees: { count: costs.energyFees.count, brought: usdt(costs.energyFees.amount) },
  }
}

function decimalsOf({ dctDecimals }: MoneyRoutesDeps, name: FundName): number {
  const asset = FUND_ASSETS[name]
  return asset === 'DCT' ? dctDecimals : DECIMALS[asset]
}

function serializeReading(reading: StoredReading | undefined, decimals: number): string | null {
  return reading?.amount == null ? null : formatUnits(reading.amount, decimals)
}

function serializeShortage(deps: MoneyRoutesDeps, shortage: Shortage): MoneyWarning {
  const decimals = decimalsOfShortage(deps, shortage)
  const format = (base: bigint | undefined) =>
    base === undefined ? null : formatUnits(base, decimals)
  return {
    code: shortage.code,
    severity: shortage.severity,
    subject: shortage.subject,
    there: format(shortage.there),
    needed: format(shortage.needed),
    days: shortage.days ?? null,
  }
}

function decimalsOfShortage(deps: MoneyRoutesDeps, { code, subject }: Shortage): number {
  if (code === 'ENERGY_FEE_LOW') return DECIMALS.USDT
  const name = FUND_NAMES.find((known) => known === subject)
  return name === undefined ? deps.dctDecimals : decimalsOf(deps, name)
}

/** The sums since the beginning as they are now, of one plan or of all. */
function totalsNow({ plans, usdt }: MoneyPosition, planCode: string): DayFigures['figures'] {
  const { locked, paid } = totalOf(
    plans.filter(({ plan }) => planCode === '' || plan.code === planCode),
  )
  return new Map([
    ...([
      ['dct_locked', locked],
      ['dct_paid', paid],
    ] as const),
    ...([
      ['usdt_fees', usdt.fees],
      ['usdt_paid', usdt.paid],
    ] as const),
  ])
}

/** @param next the figures of the next record, up to which the day's movements are counted */
function serializeDay(
  { dctDecimals }: MoneyRoutesDeps,
  { day, figures }: DayFigures,
  next: DayFigures['figures'],
): MoneyDay {
  const format = (figure: string, decimals: number) => {
    const base = figures.get(figure)
    return base == null ? null : formatUnits(base, decimals)
  }
  const moved = (figure: string, decimals: number) => {
    const [from, to] = [figures.get(figure), next.get(figure)]
    return from == null || to == null ? null : formatUnits(to - from, decimals)
  }
  return {
    day,
    dct_owed: format('dct_owed', dctDecimals),
    dct_pool: format('dct_pool', dctDecimals),
    usdt_owed: format('usdt_owed', DECIMALS.USDT),
    usdt_wallet: format('payout_usdt', DECIMALS.USDT),
    trx: format('operator_trx', DECIMALS.TRX),
    bnb: format('payout_bnb', DECIMALS.BNB),
    dct_locked: moved('dct_locked', dctDecimals),
    dct_paid: moved('dct_paid', dctDecimals),
    usdt_fees: moved('usdt_fees', DECIMALS.USDT),
    usdt_paid: moved('usdt_paid', DECIMALS.USDT),
  }
}
