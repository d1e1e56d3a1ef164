import { ExportQuery } from '@dct/api-contract/common'
import { AdminPayout, PayoutsQuery } from '@dct/api-contract/payouts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { Db } from '../../platform/database/db.ts'
import { csvSchema, sendCsv } from '../../platform/http/csv.ts'
import { instantsOf, readDayRange } from '../../platform/http/lists.ts'
import { orderedPayouts } from './list-payouts.queries.ts'
import { type DescribeDeps, describePayouts } from './payouts.routes.ts'

const PayoutsExport = ExportQuery(PayoutsQuery)

type PayoutsCsvDeps = DescribeDeps & { db: Db; clock: Clock }

/** Payouts as a CSV file. */
export const payoutsCsvRoutes: FastifyPluginAsyncTypebox<PayoutsCsvDeps> = async (app, deps) => {
  const { db, clock } = deps
  const schema = { querystring: PayoutsExport, ...csvSchema() }
  app.get('/admin/payouts/csv', { schema, config: { role: 'admin' } }, async (request, reply) => {
    const filter = { ...request.query, ...instantsOf(readDayRange(request.query)) }
    const batches = inBatches(db, {
      queries: (tx) => [orderedPayouts(tx, filter).compile()],
      describe: (tx, rows) => describePayouts(deps, tx, rows),
    })
    const day = businessDayOf(clock.now())
    return sendCsv(reply, { name: 'payouts', day, row: AdminPayout, batches })
  })
}
