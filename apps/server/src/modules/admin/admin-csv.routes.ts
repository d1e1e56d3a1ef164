import { AdminLogEntry, AdminLogQuery, UsersQuery } from '@dct/api-contract/admin'
import { User } from '@dct/api-contract/auth'
import { ExportQuery } from '@dct/api-contract/common'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import { csvSchema, sendCsv } from '../../platform/http/csv.ts'
import { readsOf } from '../../platform/http/http.ts'
import { describeUsers } from '../auth/index.ts'
import type { AdminRoutesDeps } from './admin.routes.ts'
import { describeEntry, orderedEntries } from './admin-log.queries.ts'
import { readLogFilter } from './log-filter.ts'
import { countUsers, orderedUserIds } from './users.queries.ts'

type AdminCsvDeps = Omit<AdminRoutesDeps, 'requireStepUp'>

const config = { role: 'admin' } as const
const UsersExport = ExportQuery(UsersQuery)
const LogExport = ExportQuery(AdminLogQuery)

/** The lists of users and of admin actions as CSV files. */
export const adminCsvRoutes: FastifyPluginAsyncTypebox<AdminCsvDeps> = async (app, deps) => {
  const { clock } = deps
  const today = () => businessDayOf(clock.now())

  const users = { querystring: UsersExport, ...csvSchema() }
  app.get('/admin/users/csv', { schema: users, config }, async (request, reply) => {
    const { query } = request
    const reads = readsOf(request)
    const filter = {
      search: query.search?.trim() ?? '',
      hasPercentage: query.filter_reward_percentage === true,
    }
    const { isCapped } = await countUsers(reads, filter)
    const order = { by: query.sort_by, direction: query.sort_order }
    const isWide = filter.search === '' || isCapped
    const page = { order, isWide, offset: 0, limit: null }
    const batches = inBatches(reads, {
      queries: (tx) => [orderedUserIds(filter, page).compile(tx)],
      describe: (tx, rows) =>
        describeUsers(
          deps,
          tx,
          rows.map(({ id }) => id),
        ),
    })
    return sendCsv(reply, { name: 'users', day: today(), row: User, batches })
  })

  const log = { querystring: LogExport, ...csvSchema() }
  app.get('/admin/log/csv', { schema: log, config }, async (request, reply) => {
    const { query } = request
    const reads = readsOf(request)
    const filter = await readLogFilter(reads, query)
    const batches = inBatches(reads, {
      queries: (tx) => [orderedEntries(tx, filter, query.sort_order).compile()],
      describe: (_tx, rows) => rows.map(describeEntry),
    })
    return sendCsv(reply, { name: 'admin-log', day: today(), row: AdminLogEntry, batches })
  })
}
