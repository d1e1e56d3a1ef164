import { doneOrWaiting } from '@dct/api-contract/common'
import {
  PriceHistoryQuery,
  PriceHistoryReply,
  PriceReply,
  SetPriceBody,
  SetPriceReply,
} from '@dct/api-contract/pricing'
import { SUCCESSES } from '@dct/api-contract/successes'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { listFrame } from '../../platform/http/lists.ts'
import { isPriceCurrent, type PriceAge } from './current-price.ts'
import type { PairRules } from './follow-pair.ts'
import { findProposal, latestPrice, listPrices } from './pricing.queries.ts'
import {
  formatPrice,
  PROPOSAL_LIFE_MS,
  readPrice,
  roomOf,
  type SetPriceDeps,
  setPrice,
} from './set-price.ts'

export type PricingRoutesDeps = SetPriceDeps &
  PriceAge & {
    /** Refuses a session without a recent confirming signature, where one is required. */
    requireStepUp(user: SessionUser): Promise<void>
    /** How prices are derived from the pair; undefined if no pair is configured. */
    pairRules: PairRules | undefined
  }

const ADMIN = { role: 'admin' } as const
const MINUTE_MS = 60_000

/** The price of DCT for admins: current price, change, history. */
export const pricingRoutes: FastifyPluginAsyncTypebox<PricingRoutesDeps> = async (app, deps) => {
  const show = { response: { 200: PriceReply } }
  app.get('/admin/price', { schema: show, config: ADMIN }, (request) =>
    describePrice(deps, userOf(request)),
  )

  const set = { body: SetPriceBody, response: doneOrWaiting(SetPriceReply) }
  app.post('/admin/price', { schema: set, config: ADMIN }, async (request, reply) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const isSet = await setPrice(deps, { price: readPrice(request.body.price), admin })
    const message = isSet ? SUCCESSES.PRICE_SET : SUCCESSES.PRICE_NEEDS_SECOND
    return reply
      .code(isSet ? 200 : 202)
      .send({ ...(await describePrice(deps, admin)), message, is_set: isSet })
  })

  const history = { querystring: PriceHistoryQuery, response: { 200: PriceHistoryReply } }
  app.get('/admin/price-history', { schema: history, config: ADMIN }, async (request) => {
    const { rows, total } = await listPrices(deps.db, request.query)
    const prices = rows.map((row) => ({
      id: String(row.id),
      price: formatPrice(row.price),
      set_by: row.set_by === null ? null : formatTronAddress(row.set_by),
      source: row.from_pair
        ? ('pair' as const)
        : row.set_by === null
          ? ('settings' as const)
          : ('admin' as const),
      confirmed_by: row.confirmed_by === null ? null : formatTronAddress(row.confirmed_by),
      at: row.at.toISOString(),
    }))
    return { prices, ...listFrame(request.query, total) }
  })
}

async function describePrice(deps: PricingRoutesDeps, admin: SessionUser) {
  const { db, clock, priceBounds, priceMaxAgeMs, pairRules } = deps
  const now = clock.now()
  const [latest, proposal, room] = await Promise.all([
    latestPrice(db, now),
    findProposal(db),
    roomOf(deps, db, { adminId: admin.id, at: now }),
  ])
  const endsAt = latest === undefined ? undefined : new Date(latest.at.getTime() + priceMaxAgeMs)
  const proposalEndsAt = new Date((proposal?.at.getTime() ?? 0) + PROPOSAL_LIFE_MS)
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
    proposal:
      proposal === undefined || proposalEndsAt <= now
        ? null
        : {
            price: formatPrice(proposal.price),
            proposed_by: formatTronAddress(proposal.proposedBy),
            proposed_at: proposal.at.toISOString(),
            expires_at: proposalEndsAt.toISOString(),
          },
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
