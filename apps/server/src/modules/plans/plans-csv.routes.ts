import { ExportQuery } from '@dct/api-contract/common'
import { EarningPlan, PlansQuery } from '@dct/api-contract/plans'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { csvSchema, sendCsv } from '../../platform/http/csv.ts'
import { answerPlans } from './plans.routes.ts'

const PlansExport = ExportQuery(PlansQuery)
const PAGE = 100

type PlansCsvDeps = { db: Db; clock: Clock; dctDecimals: number }

/** The plans as a CSV file, read page by page: there are few. */
export const plansCsvRoutes: FastifyPluginAsyncTypebox<PlansCsvDeps> = async (app, deps) => {
  const schema = { querystring: PlansExport, ...csvSchema() }
  const config = { role: 'admin' } as const
  app.get('/admin/earning-plans/csv', { schema, config }, async ({ query }, reply) => {
    const day = businessDayOf(deps.clock.now())
    return sendCsv(reply, { name: 'plans', day, row: EarningPlan, batches: pagesOf(deps, query) })
  })
}

async function* pagesOf(deps: PlansCsvDeps, query: Omit<PlansQuery, 'page' | 'limit'>) {
  for (let page = 1; ; page += 1) {
    const answer = await answerPlans(deps, { ...query, page, limit: PAGE })
    yield answer.plans
    if (page >= answer.totalPages) return
  }
}
