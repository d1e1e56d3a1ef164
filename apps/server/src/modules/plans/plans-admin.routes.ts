import {
  CheckPlanBody,
  CheckPlanReply,
  CreatePlanBody,
  PlanReply,
  PlansQuery,
  PlansReply,
  UpdatePlanBody,
} from '@dct/api-contract/plans'
import { formatUnits } from '@dct/money'
import { maxTokenAllowed } from '@dct/rules/quota'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvariantViolation } from '../../platform/errors.ts'
import { type SessionUser, userOf } from '../../platform/http.ts'
import { type CreatePlanDeps, checkPlan, createPlan } from './create-plan.ts'
import { describePlans } from './describe-plans.ts'
import { readPlanChange, readPlanTerms } from './plan-terms.ts'
import type { Plan } from './plans.queries.ts'
import { answerPlans, readPlanCode } from './plans.routes.ts'
import { type UpdatePlanDeps, updatePlan } from './update-plan.ts'

export type PlansAdminRoutesDeps = CreatePlanDeps &
  UpdatePlanDeps & {
    /** Refuses a session that was not confirmed by a fresh signature, where that is required. */
    requireStepUp(user: SessionUser): Promise<void>
  }

const PATH = '/admin/earning-plans'
const config = { role: 'admin' } as const

/** The plans for admins: list, check, create, change. */
export const plansAdminRoutes: FastifyPluginAsyncTypebox<PlansAdminRoutesDeps> = async (
  app,
  deps,
) => {
  const { dctDecimals } = deps
  const list = { querystring: PlansQuery, response: { 200: PlansReply } }
  app.get(PATH, { schema: list, config }, (request) => answerPlans(deps, request.query))

  const check = { body: CheckPlanBody, response: { 200: CheckPlanReply } }
  app.post(`${PATH}/check`, { schema: check, config }, async (request) => {
    const terms = readPlanTerms(request.body, dctDecimals)
    await checkPlan(deps, terms)
    return {
      message: 'The plan can be created.',
      plan_code: terms.code,
      total_reward: formatUnits(terms.totalReward, dctDecimals),
      max_token_allowed: formatUnits(maxTokenAllowed(terms.totalReward, terms.rate), dctDecimals),
    }
  })

  const create = { body: CreatePlanBody, response: { 200: PlanReply } }
  app.post(PATH, { schema: create, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const terms = readPlanTerms(request.body, dctDecimals)
    const plan = await createPlan(deps, { terms, txHash: request.body.tx_hash, admin })
    return answerPlan('The earning plan was created.', plan)
  })

  const update = { body: UpdatePlanBody, response: { 200: PlanReply } }
  app.patch(PATH, { schema: update, config }, async (request) => {
    const change = readPlanChange(request.body, dctDecimals)
    const planCode = readPlanCode(request.body.plan_code)
    const plan = await updatePlan(deps, { planCode, change, adminId: userOf(request).id })
    return answerPlan('The earning plan was changed.', plan)
  })

  async function answerPlan(message: string, plan: Plan) {
    const [earning_plan] = await describePlans(deps, [plan])
    if (earning_plan === undefined) throw new InvariantViolation('a plan that cannot be described')
    return { message, earning_plan }
  }
}
