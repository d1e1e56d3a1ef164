import { ExportQuery } from '@dct/api-contract/common'
import {
  AdminEarning,
  AdminEarningsQuery,
  AdminRewardRecord,
  AdminRewardsQuery,
  StakeTransaction,
  TransactionsQuery,
} from '@dct/api-contract/earnings'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import { csvSchema, sendCsv } from '../../platform/http/csv.ts'
import { readsOf } from '../../platform/http/http.ts'
import { readDayRange } from '../../platform/http/lists.ts'
import { EARNING_ORDERS } from './earnings.routes.ts'
import { describeTransaction, readFilter, transactionOrder } from './earnings-admin.routes.ts'
import {
  allByEarning,
  allOfDay,
  countByDay,
  type RewardsScope,
} from './lists/all-rewards.queries.ts'
import { type DescribeDeps, describeEarnings, type ReadingDeps } from './lists/describe-earnings.ts'
import { describeAnyReward } from './lists/describe-rewards.ts'
import { readScope } from './lists/list-search.ts'
import { orderedRecords, type RecordFilter } from './lists/stake-records.queries.ts'

const config = { role: 'admin' } as const
const EarningsExport = ExportQuery(AdminEarningsQuery)
const TransactionsExport = ExportQuery(TransactionsQuery)
const RewardsExport = ExportQuery(AdminRewardsQuery)
type EarningsExport = Omit<AdminEarningsQuery, 'page' | 'limit'>

/** All holders' stakes and rewards as CSV files. */
export const earningsCsvRoutes: FastifyPluginAsyncTypebox<DescribeDeps> = async (app, deps) => {
  const { clock } = deps
  const today = () => businessDayOf(clock.now())

  const stakes = { querystring: EarningsExport, ...csvSchema() }
  app.get('/admin/user-earnings/csv', { schema: stakes, config }, async (request, reply) => {
    const { query } = request
    const db = readsOf(request)
    const batches = stakesOf(
      { ...deps, db },
      await readFilter(db, query, { isBooked: true }),
      query,
    )
    return sendCsv(reply, { name: 'participants', day: today(), row: AdminEarning, batches })
  })
  app.get('/admin/daily-user-earnings/csv', { schema: stakes, config }, async (request, reply) => {
    const { query } = request
    const db = readsOf(request)
    const isDated = Boolean(query.start_date || query.end_date)
    const days = isDated ? {} : { start_date: today(), end_date: today() }
    const filter = await readFilter(db, { ...query, ...days }, { isBooked: true })
    const batches = stakesOf({ ...deps, db }, filter, query)
    return sendCsv(reply, { name: 'daily-participants', day: today(), row: AdminEarning, batches })
  })

  const transactions = { querystring: TransactionsExport, ...csvSchema() }
  app.get('/admin/transactions/csv', { schema: transactions, config }, async (request, reply) => {
    const { query } = request
    const db = readsOf(request)
    const now = clock.now()
    const filter = { ...(await readScope(db, query)), range: readDayRange(query) }
    const order = { ...transactionOrder(query.sort_by, now), direction: query.sort_order }
    const batches = inBatches(db, {
      queries: (tx) => [orderedRecords(tx, filter, order).compile()],
      describe: (_tx, rows) => rows.map((row) => describeTransaction(deps, row, now)),
    })
    return sendCsv(reply, { name: 'transactions', day: today(), row: StakeTransaction, batches })
  })

  const rewards = { querystring: RewardsExport, ...csvSchema() }
  const rewardsPath = '/admin/reward-distribution-history/csv'
  app.get(rewardsPath, { schema: rewards, config }, async (request, reply) => {
    const { query } = request
    const db = readsOf(request)
    const scope = { ...(await readScope(db, query)), range: readDayRange(query) }
    const order = { sort: query.sort_by, direction: query.sort_order }
    const batches = inBatches(db, {
      queries: (tx) => rewardQueries(tx, scope, order),
      describe: (_tx, rows) => rows.map((row) => describeAnyReward(row, deps.dctDecimals)),
    })
    const name = 'reward-distribution'
    return sendCsv(reply, { name, day: today(), row: AdminRewardRecord, batches })
  })
}

function stakesOf(deps: ReadingDeps, filter: RecordFilter, query: EarningsExport) {
  const order = { ...EARNING_ORDERS[query.sort_by], direction: query.sort_order }
  return inBatches(deps.db, {
    queries: (tx) => [orderedRecords(tx, filter, order).compile()],
    describe: (tx, rows) => describeEarnings({ ...deps, db: tx }, rows),
  })
}

/** The order by date runs one query per day: all cycles of all holders are too many to sort together. */
async function* rewardQueries(
  tx: ReadDb,
  scope: RewardsScope,
  { sort, direction }: { sort: AdminRewardsQuery['sort_by']; direction: 'asc' | 'desc' },
) {
  if (sort !== 'reward_date') {
    yield allByEarning(tx, scope, { sort, direction })
    return
  }
  for (const { day } of await countByDay(tx, scope, direction)) yield allOfDay(tx, scope, day)
}
