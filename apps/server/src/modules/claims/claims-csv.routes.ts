import {
  AdminClaimHistoryQuery,
  AdminClaimRecord,
  UnmatchedPayment,
  UnmatchedPaymentsQuery,
} from '@dct/api-contract/claims'
import { ExportQuery } from '@dct/api-contract/common'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { Db } from '../../platform/database/db.ts'
import { csvSchema, sendCsv } from '../../platform/http/csv.ts'
import { readsOf } from '../../platform/http/http.ts'
import { instantsOf, readDayRange } from '../../platform/http/lists.ts'
import { orderedClaims } from './claim-lists.queries.ts'
import { readClaimFilter } from './claims-admin.routes.ts'
import { serializeAdminClaim } from './serialize-claim.ts'
import { describeUnmatched, orderedUnmatched } from './unmatched-payments.ts'

const config = { role: 'admin' } as const
const ClaimsExport = ExportQuery(AdminClaimHistoryQuery)
const UnmatchedExport = ExportQuery(UnmatchedPaymentsQuery)

type ClaimsCsvDeps = { db: Db; clock: Clock; dctDecimals: number }

/** Claims and unmatched payments as CSV files. */
export const claimsCsvRoutes: FastifyPluginAsyncTypebox<ClaimsCsvDeps> = async (app, deps) => {
  const { db, clock } = deps
  const today = () => businessDayOf(clock.now())

  const claims = { querystring: ClaimsExport, ...csvSchema() }
  app.get('/admin/claim-history/csv', { schema: claims, config }, async (request, reply) => {
    const { query } = request
    const reads = readsOf(request)
    const filter = await readClaimFilter({ db: reads }, query)
    const order = { sort_by: query.sort_by, sort_order: query.sort_order }
    const batches = inBatches(reads, {
      queries: (tx) => [orderedClaims(tx, { ...filter, ...order }).compile()],
      describe: (_tx, rows) => rows.map((claim) => serializeAdminClaim(deps, claim)),
    })
    return sendCsv(reply, { name: 'claims', day: today(), row: AdminClaimRecord, batches })
  })

  const unmatched = { querystring: UnmatchedExport, ...csvSchema() }
  app.get(
    '/admin/unmatched-payments/csv',
    { schema: unmatched, config },
    async (request, reply) => {
      const filter = { ...request.query, ...instantsOf(readDayRange(request.query)) }
      const batches = inBatches(db, {
        queries: (tx) => [orderedUnmatched(tx, filter).compile()],
        describe: describeUnmatched,
      })
      const name = 'unmatched-payments'
      return sendCsv(reply, { name, day: today(), row: UnmatchedPayment, batches })
    },
  )
}
