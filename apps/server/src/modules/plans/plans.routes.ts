import {
  PlanCodeParams,
  PlanListReply,
  PlansQuery,
  PlansReply,
  QuotaReply,
  ReservationReply,
  ReserveBody,
} from '@dct/api-contract/plans'
import { formatUnits } from '@dct/money'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readAmount } from '../../platform/amounts.ts'
import { Refusal } from '../../platform/errors.ts'
import { type RequireConsent, userOf } from '../../platform/http/http.ts'
import { normalizePlanCode } from '../../platform/http/lenient-query.ts'
import { listFrame } from '../../platform/http/lists.ts'
import { describePlans, describeQuota } from './describe-plans.ts'
import { isPlanCode } from './plan-terms.ts'
import { findPlans, getPlanByCode, listPlans, type PlanListQuery } from './plans.queries.ts'
import { type ReserveDeps, reserveQuota } from './reserve-quota.ts'

export type PlansRoutesDeps = ReserveDeps & RequireConsent

/** Plans and their quotas for all signed-in users; reservations for holders. */
export const plansRoutes: FastifyPluginAsyncTypebox<PlansRoutesDeps> = async (app, deps) => {
  const signedIn = { role: 'any' } as const
  const list = { querystring: PlansQuery, response: { 200: PlansReply } }
  app.get('/user/earning-plans', { schema: list, config: signedIn }, (request) =>
    answerPlans(deps, request.query),
  )

  const all = { response: { 200: PlanListReply } }
  app.get('/user/earning-plan-lists', { schema: all, config: signedIn }, async () => {
    const plans = await describePlans(deps, await listPlans(deps.db))
    return { earning_plans: plans, plans }
  })

  const quota = { params: PlanCodeParams, response: { 200: QuotaReply } }
  const quotaPath = '/user/earning-plans/:code/check-quota'
  app.get(quotaPath, { schema: quota, config: signedIn }, async (request) => {
    const plan = await getPlanByCode(deps.db, readPlanCode(request.params.code))
    if (plan === undefined) throw new Refusal('PLAN_NOT_FOUND')
    return describeQuota(deps, plan)
  })

  const reserve = { params: PlanCodeParams, body: ReserveBody, response: { 200: ReservationReply } }
  const reservePath = '/user/earning-plans/:code/reserve'
  app.post(
    reservePath,
    { schema: reserve, config: { role: 'user', asksNode: true } },
    async (request) => {
      const { dctDecimals } = deps
      await deps.requireConsent(userOf(request))
      const amount = readAmount('DCT', request.body.amount, {
        field: 'amount',
        decimals: dctDecimals,
      })
      const planCode = readPlanCode(request.params.code)
      const reservation = await reserveQuota(deps, { user: userOf(request), planCode, amount })
      return {
        plan_code: reservation.plan.code,
        amount: formatUnits(reservation.amount, dctDecimals),
        reward: formatUnits(reservation.reward, dctDecimals),
        duration_days: reservation.plan.durationDays,
        business_date: reservation.day,
        expires_at: reservation.expiresAt.toISOString(),
      }
    },
  )
}

/** One page of plans, under both field names that clients use. */
export async function answerPlans(deps: Parameters<typeof describePlans>[0], query: PlanListQuery) {
  const found = await findPlans(deps.db, query)
  const plans = await describePlans(deps, found.plans)
  return { earning_plans: plans, plans, ...listFrame(query, found.total) }
}

/** Reads a plan code as a user typed it. @throws Refusal `PLAN_NOT_FOUND`, also if it is not a valid code */
export function readPlanCode(text: string): string {
  const code = normalizePlanCode(text)
  if (!isPlanCode(code)) throw new Refusal('PLAN_NOT_FOUND')
  return code
}
