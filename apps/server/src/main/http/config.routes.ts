import { ConfigReply } from '@dct/api-contract/config'
import { PAGE_SIZE } from '@dct/api-contract/lists'
import { formatAmount, parseAmount } from '@dct/money'
import * as constants from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  formatPrice,
  isPriceCurrent,
  type MoneySettings,
  type PriceAge,
  settingsAndPrice,
} from '../../modules/pricing/index.ts'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'

/** The settings of this installation that are public. Amounts are in base units. */
export type PublicSettings = {
  mode: 'devnet' | 'live'
  brand: string
  supportEmail: string
  origin: string
  tron: ConfigReply['tron']
  bsc: ConfigReply['bsc']
  isStepUpRequired: boolean
  walletConnectProjectId: string | undefined
}

export type ConfigRoutesDeps = PriceAge & {
  db: Db
  clock: Clock
  settings: PublicSettings
  /** The version of the terms in force. */
  readTermsVersion(db: Db): Promise<string>
}

/** GET /config: the settings that are public without signing in. */
export const configRoutes: FastifyPluginAsyncTypebox<ConfigRoutesDeps> = async (app, deps) => {
  const { db, clock, settings } = deps
  const steady = steadyPart(settings)
  const schema = { response: { 200: ConfigReply } }
  app.get('/config', { schema, config: { role: 'public' } }, async () => {
    const now = clock.now()
    const [{ price, ...money }, terms_version] = await Promise.all([
      settingsAndPrice(db, now),
      deps.readTermsVersion(db),
    ])
    return {
      ...steady,
      ...feePart(money),
      terms_version,
      business_date: businessDayOf(now),
      price: {
        usdt: price === undefined ? null : formatPrice(price.price),
        at: price?.at.toISOString() ?? null,
        is_current: price !== undefined && isPriceCurrent(deps, price, now),
      },
    }
  })
}

function steadyPart(settings: PublicSettings) {
  const dct = (text: string) => formatAmount('DCT', parseAmount('DCT', text))
  return {
    mode: settings.mode,
    is_devnet: settings.mode === 'devnet',
    brand: settings.brand,
    support_email: settings.supportEmail,
    origin: settings.origin,
    tron: settings.tron,
    bsc: settings.bsc,
    limits: {
      join_minimum: dct(constants.JOIN_MIN_DCT),
      join_maximum: dct(constants.JOIN_MAX_DCT),
      claim_minimum: dct(constants.CLAIM_MIN_DCT),
      page_size: PAGE_SIZE,
      freeze_after_cycles: constants.FREEZE_AFTER_CYCLES,
      freeze_grace_cycles: constants.FREEZE_GRACE_CYCLES,
      freeze_warnings: [...constants.FREEZE_WARNINGS],
      reservation_minutes: constants.RESERVATION_MINUTES,
      cancel_after_hours: constants.CANCEL_AFTER_HOURS,
      claim_open_days_after_end: constants.CLAIM_OPEN_DAYS_AFTER_END,
      fee_open_days_after_end: constants.FEE_OPEN_DAYS_AFTER_END,
      reward_sent_within_hours: constants.REWARD_SENT_WITHIN_HOURS,
      referral_percentage_maximum: formatPercentage(constants.REFERRAL_PERCENTAGE_MAX_BPS),
    },
    is_step_up_required: settings.isStepUpRequired,
    walletconnect_project_id: settings.walletConnectProjectId ?? null,
  }
}

/** What admins may change. */
function feePart({ directRateBps, energyFee, nonDirectOpensAt }: MoneySettings) {
  return {
    rates: {
      claim_fee_percentage: formatPercentage(constants.CLAIM_FEE_BPS),
      direct_percentage: formatPercentage(directRateBps),
    },
    energy_fee_usdt: formatAmount('USDT', energyFee),
    non_direct_opens_at: nonDirectOpensAt.toISOString(),
  }
}
