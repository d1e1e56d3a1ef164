import { MAX_PAGE_SIZE } from '@dct/api-contract/common'
import {
  CheckPlanBody,
  CheckPlanReply,
  CreatePlanBody,
  EarningPlan,
  OpenOnChainReply,
  PlanReply,
  PlansQuery,
  PlansReply,
  UpdatePlanBody,
} from '@dct/api-contract/plans'
import { SUCCESSES } from '@dct/api-contract/successes'
import { formatUnits } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { maxTokenAllowed } from '@dct/rules/quota'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf } from '../../platform/clock.ts'
import { InvariantViolation } from '../../platform/errors.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { type CreatePlanDeps, checkPlan, createPlan } from './create-plan.ts'
import { describePlans } from './describe-plans.ts'
import { fundingsOfCode } from './fundings.ts'
import { openOnChain } from './open-on-chain.ts'
import { readPlanChange, readPlanTerms } from './plan-terms.ts'
import type { Plan } from './plans.queries.ts'
import { answerPlans, readPlanCode } from './plans.routes.ts'
import { type UpdatePlanDeps, updatePlan } from './update-plan.ts'

export type PlansAdminRoutesDeps = CreatePlanDeps &
  UpdatePlanDeps & {
    /** Refuses a session without a recent confirming signature, where one is required. */
    requireStepUp(user: SessionUser, need?: { lastingMs: number }): Promise<void>
  }

const PATH = '/admin/earning-plans'
/** The time from the check to the creation: a wallet approves, funds, and waits for the chain. */
const FUNDING_MS = 5 * 60_000
const config = { role: 'admin' } as const
const asking = { ...config, asksNode: true } as const

/** Plans for admins: list, check, open on chain, create, change. */
export const plansAdminRoutes: FastifyPluginAsyncTypebox<PlansAdminRoutesDeps> = async (
  app,
  deps,
) => {
  const { dctDecimals } = deps
  const list = listOrFile(PlansQuery, PlansReply)
  app.get(PATH, { schema: list, config }, async ({ query }, reply) => {
    if (query.format === undefined) return answerPlans(deps, query)
    const day = businessDayOf(deps.clock.now())
    return sendCsv(reply, { name: 'plans', day, row: EarningPlan, batches: pagesOf(deps, query) })
  })

  const check = { body: CheckPlanBody, response: { 200: CheckPlanReply } }
  app.post(`${PATH}/check`, { schema: check, config }, async (request) => {
    const terms = readPlanTerms(request.body, dctDecimals)
    // Required before the wallet pays rather than after it: creating the plan needs the same signature.
    await deps.requireStepUp(userOf(request), { lastingMs: FUNDING_MS })
    await checkPlan(deps, terms)
    const fundings = await fundingsOfCode(deps.db, terms.code)
    return {
      message: SUCCESSES.PLAN_CAN_BE_CREATED,
      plan_code: terms.code,
      total_reward: formatUnits(terms.totalReward, dctDecimals),
      max_token_allowed: formatUnits(maxTokenAllowed(terms.totalReward, terms.rate), dctDecimals),
      fundings: fundings.map(({ tx_hash, amount, from_address, funded_at }) => ({
        tx_hash: tx_hash.toString('hex'),
        amount: formatUnits(amount, dctDecimals),
        tron_address: formatTronAddress(from_address),
        funded_at: funded_at.toISOString(),
      })),
    }
  })

  const open = { body: CheckPlanBody, response: { 200: OpenOnChainReply } }
  app.post(`${PATH}/open-on-chain`, { schema: open, config: asking }, async (request) => {
    await deps.requireStepUp(userOf(request))
    const terms = readPlanTerms(request.body, dctDecimals)
    await openOnChain(deps, terms)
    return { message: SUCCESSES.PLAN_TERMS_FIXED, plan_code: terms.code }
  })

  const create = { body: CreatePlanBody, response: { 200: PlanReply } }
  app.post(PATH, { schema: create, config: asking }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const terms = readPlanTerms(request.body, dctDecimals)
    const plan = await createPlan(deps, { terms, txHash: request.body.tx_hash, admin })
    return answerPlan(SUCCESSES.PLAN_CREATED, plan)
  })

  const update = { body: UpdatePlanBody, response: { 200: PlanReply } }
  app.patch(PATH, { schema: update, config }, async (request) => {
    const change = readPlanChange(request.body, dctDecimals)
    const planCode = readPlanCode(request.body.plan_code)
    const plan = await updatePlan(deps, { planCode, change, adminId: userOf(request).id })
    return answerPlan(SUCCESSES.PLAN_CHANGED, plan)
  })

  async function answerPlan(message: string, plan: Plan) {
    const [earning_plan] = await describePlans(deps, [plan])
    if (earning_plan === undefined) throw new InvariantViolation('the plan cannot be described')
    return { message, earning_plan }
  }
}

/** All plans, page by page: there are few. */
async function* pagesOf(deps: CreatePlanDeps, query: PlansQuery) {
  for (let page = 1; ; page += 1) {
    const answer = await answerPlans(deps, { ...query, page, limit: MAX_PAGE_SIZE })
    yield answer.plans
    if (page >= answer.totalPages) return
  }
}
