import {
  MEAN_NAMES,
  type MeanName,
  type MoneyDay,
  MoneyHistoryQuery,
  MoneyHistoryReply,
  MoneyReply,
  type MoneyWarning,
  type DctPosition as WireDct,
  type UsdtPosition as WireUsdt,
} from '@dct/api-contract/operations'
import { DECIMALS, formatUnits } from '@dct/money'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { getPlanByCode } from '../plans/index.ts'
import { type DayFigures, daysSince, type StoredReading, storedReadings } from './means.queries.ts'
import { PACE_DAYS } from './money-loop.ts'
import {
  type DctFigures,
  dctOwed,
  moneyPosition,
  totalOf,
  type UsdtFigures,
  usdtOwed,
} from './money-position.queries.ts'
import { poolOf } from './read-means.ts'
import { findShortages, isStale, lastsDays, type Shortage } from './shortages.ts'

export type MoneyRoutesDeps = { db: Db; clock: Clock; realClock: Clock; dctDecimals: number }

const config = { role: 'admin' } as const
const ASSETS = {
  reward_pool: 'DCT',
  staking: 'DCT',
  operator_trx: 'TRX',
  payout_usdt: 'USDT',
  payout_bnb: 'BNB',
  fee_receiver_usdt: 'USDT',
} as const satisfies Record<MeanName, keyof typeof DECIMALS>

/** What is owed and what it can be paid with, now and by day. */
export const moneyRoutes: FastifyPluginAsyncTypebox<MoneyRoutesDeps> = async (app, deps) => {
  const now = { response: { 200: MoneyReply } }
  app.get('/admin/money', { schema: now, config }, () => describeMoney(deps))

  const history = { querystring: MoneyHistoryQuery, response: { 200: MoneyHistoryReply } }
  app.get('/admin/money-history', { schema: history, config }, async ({ query }) => {
    const { days, plan_code: code = '' } = query
    if (code !== '' && (await getPlanByCode(deps.db, code)) === undefined) {
      throw new Refusal('PLAN_NOT_FOUND')
    }
    const today = businessDayOf(deps.clock.now())
    const narrowed = code === '' ? {} : { planCode: code }
    const found = await daysSince(deps.db, { today, days, ...narrowed })
    return { days: found.map((day) => spellDay(deps, day)) }
  })
}

async function describeMoney(deps: MoneyRoutesDeps): Promise<MoneyReply> {
  const { db, clock, realClock } = deps
  const now = realClock.now()
  const [position, readings, days] = await Promise.all([
    moneyPosition(db),
    storedReadings(db),
    daysSince(db, { today: businessDayOf(clock.now()), days: PACE_DAYS }),
  ])
  const shortages = findShortages({ position, readings, days, now })
  return {
    dct: {
      total: spellDct(deps, totalOf(position.plans)),
      plans: position.plans.map(({ plan, figures }) => ({
        plan_code: plan.code,
        pool_on_chain: spellReading(readings.get(poolOf(plan.code)), deps.dctDecimals),
        ...spellDct(deps, figures),
      })),
    },
    usdt: spellUsdt(position.usdt),
    means: MEAN_NAMES.map((name) => ({
      name,
      asset: ASSETS[name],
      amount: spellReading(readings.get(name), decimalsOf(deps, name)),
      read_at: readings.get(name)?.readAt?.toISOString() ?? null,
      is_stale: isStale(readings.get(name), now),
      lasts_days: lastsDays(name, { days, readings }) ?? null,
    })),
    warnings: shortages.map((shortage) => spellShortage(deps, shortage)),
  }
}

function spellDct({ dctDecimals }: MoneyRoutesDeps, figures: DctFigures): WireDct {
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
  }
}

function spellUsdt(figures: UsdtFigures): WireUsdt {
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

function decimalsOf({ dctDecimals }: MoneyRoutesDeps, name: MeanName): number {
  const asset = ASSETS[name]
  return asset === 'DCT' ? dctDecimals : DECIMALS[asset]
}

function spellReading(reading: StoredReading | undefined, decimals: number): string | null {
  return reading?.amount == null ? null : formatUnits(reading.amount, decimals)
}

function spellShortage(deps: MoneyRoutesDeps, shortage: Shortage): MoneyWarning {
  const name = MEAN_NAMES.find((known) => known === shortage.subject)
  const decimals = name === undefined ? deps.dctDecimals : decimalsOf(deps, name)
  const spell = (base: bigint | undefined) =>
    base === undefined ? null : formatUnits(base, decimals)
  return {
    code: shortage.code,
    severity: shortage.severity,
    subject: shortage.subject,
    there: spell(shortage.there),
    needed: spell(shortage.needed),
    days: shortage.days ?? null,
  }
}

function spellDay({ dctDecimals }: MoneyRoutesDeps, { day, figures }: DayFigures): MoneyDay {
  const spell = (figure: string, decimals: number) => {
    const base = figures.get(figure)
    return base == null ? null : formatUnits(base, decimals)
  }
  return {
    day,
    dct_owed: spell('dct_owed', dctDecimals),
    dct_pool: spell('dct_pool', dctDecimals),
    usdt_owed: spell('usdt_owed', DECIMALS.USDT),
    usdt_wallet: spell('payout_usdt', DECIMALS.USDT),
    trx: spell('operator_trx', DECIMALS.TRX),
    bnb: spell('payout_bnb', DECIMALS.BNB),
  }
}
