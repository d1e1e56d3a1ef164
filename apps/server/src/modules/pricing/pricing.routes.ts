import { doneOrWaiting } from '@dct/api-contract/common'
import {
  MoneySettingHistoryQuery,
  MoneySettingHistoryReply,
  MoneySettingsReply,
  SetMoneySettingBody,
  SetMoneySettingReply,
} from '@dct/api-contract/money-settings'
import { PriceReply } from '@dct/api-contract/pricing'
import { MONEY_SETTING_NAMES, type SettingName } from '@dct/api-contract/proposals'
import { SUCCESSES } from '@dct/api-contract/successes'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { listFrame } from '../../platform/http/lists.ts'
import { isPriceCurrent, type PriceAge } from './current-price.ts'
import type { PairRules } from './follow-pair.ts'
import {
  formatPrice,
  moneySettingValues,
  readMoneySetting,
  showMoneySetting,
} from './money-settings.ts'
import { roomOf } from './price-room.ts'
import { latestPrice, listChanges } from './pricing.queries.ts'
import { type SetMoneySettingDeps, setMoneySetting } from './set-money-setting.ts'

export type PricingRoutesDeps = SetMoneySettingDeps &
  PriceAge & {
    /** Refuses a session without a recent confirming signature, where one is required. */
    requireStepUp(user: SessionUser): Promise<void>
    /** How prices are derived from the pair; undefined if no pair is configured. */
    pairRules: PairRules | undefined
  }

const ADMIN = { role: 'admin' } as const
const MINUTE_MS = 60_000

/** The price of DCT and the fee settings for admins: values, change, history. */
export const pricingRoutes: FastifyPluginAsyncTypebox<PricingRoutesDeps> = async (app, deps) => {
  const { db } = deps
  const price = { response: { 200: PriceReply } }
  app.get('/admin/price', { schema: price, config: ADMIN }, (request) =>
    describePrice(deps, userOf(request)),
  )

  const settings = { response: { 200: MoneySettingsReply } }
  app.get('/admin/money-settings', { schema: settings, config: ADMIN }, async () => {
    const values = await moneySettingValues(db)
    return {
      settings: MONEY_SETTING_NAMES.map((name) => ({
        name,
        value: showMoneySetting(name, values[name]),
      })),
    }
  })

  const set = { body: SetMoneySettingBody, response: doneOrWaiting(SetMoneySettingReply) }
  app.post('/admin/money-settings', { schema: set, config: ADMIN }, async (request, reply) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { name, value } = request.body
    const wish = { name, value: readMoneySetting(name, value), adminId: admin.id }
    const isSet = await setMoneySetting(deps, wish)
    return reply.code(isSet ? 200 : 202).send({ message: outcomeOf(name, isSet), is_set: isSet })
  })

  const history = {
    querystring: MoneySettingHistoryQuery,
    response: { 200: MoneySettingHistoryReply },
  }
  app.get('/admin/money-settings-history', { schema: history, config: ADMIN }, async (request) => {
    const { rows, total } = await listChanges(db, request.query)
    const changes = rows.map((row) => ({
      ...{ id: String(row.id), name: row.kind, value: showMoneySetting(row.kind, row.value) },
      ...{ set_by: shownAdmin(row.set_by), source: sourceOf(row) },
      confirmed_by: shownAdmin(row.confirmed_by),
      at: row.at.toISOString(),
    }))
    return { changes, ...listFrame(request.query, total) }
  })
}

function outcomeOf(name: SettingName, isSet: boolean) {
  if (name === 'price') return isSet ? SUCCESSES.PRICE_SET : SUCCESSES.PRICE_NEEDS_SECOND
  return isSet ? SUCCESSES.MONEY_SETTING_SET : SUCCESSES.MONEY_SETTING_NEEDS_SECOND
}

function shownAdmin(address: Buffer | null): string | null {
  return address === null ? null : formatTronAddress(address)
}

function sourceOf(row: {
  from_pair: boolean
  set_by: Buffer | null
}): 'admin' | 'pair' | 'settings' {
  if (row.from_pair) return 'pair'
  return row.set_by === null ? 'settings' : 'admin'
}

async function describePrice(deps: PricingRoutesDeps, admin: SessionUser) {
  const { db, clock, priceBounds, priceMaxAgeMs, pairRules } = deps
  const now = clock.now()
  const [latest, room] = await Promise.all([
    latestPrice(db, now),
    roomOf(deps, db, { adminId: admin.id, at: now }),
  ])
  const endsAt = latest === undefined ? undefined : new Date(latest.at.getTime() + priceMaxAgeMs)
  return {
    price: latest === undefined ? null : formatPrice(latest.price),
    at: latest?.at.toISOString() ?? null,
    is_current: latest !== undefined && isPriceCurrent(deps, latest, now),
    expires_at: endsAt?.toISOString() ?? null,
    minimum: formatPrice(priceBounds.minimum),
    maximum: formatPrice(priceBounds.maximum),
    maximum_step_percentage: formatPercentage(priceBounds.maxStepBps),
    alone:
      room === undefined
        ? null
        : { lowest: formatPrice(room.lowest), highest: formatPrice(room.highest) },
    pair:
      pairRules === undefined
        ? null
        : {
            window_minutes: pairRules.windowMs / MINUTE_MS,
            minimum: formatPrice(pairRules.minimum),
            maximum: formatPrice(pairRules.maximum),
            daily_step_percentage: formatPercentage(pairRules.stepBps),
          },
  }
}
