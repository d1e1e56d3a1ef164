import {
  AdminEarning,
  AdminEarningsQuery,
  AdminEarningsReply,
  AdminRewardRecord,
  AdminRewardsQuery,
  AdminRewardsReply,
  StakeTransaction,
  type TransactionSort,
  TransactionsQuery,
  TransactionsReply,
} from '@dct/api-contract/earnings'
import { formatAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import { businessDayOf } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { readsOf } from '../../platform/http/http.ts'
import { cappedFrame, readDayRange } from '../../platform/http/lists.ts'
import { EARNING_ORDERS } from './earnings.routes.ts'
import {
  allByEarning,
  allOfDay,
  countByDay,
  type RewardsScope,
} from './lists/all-rewards.queries.ts'
import { type DescribeDeps, describeEarnings } from './lists/describe-earnings.ts'
import { describeAnyReward } from './lists/describe-rewards.ts'
import { findAllRewards } from './lists/find-all-rewards.ts'
import { readScope } from './lists/list-search.ts'
import {
  countRecords,
  findRecords,
  orderedRecords,
  type RecordFilter,
  type RecordOrder,
  type StakeRecord,
} from './lists/stake-records.queries.ts'

const config = { role: 'admin' } as const

/** All holders' stakes and rewards, for admins; each list page by page or as a file. */
export const earningsAdminRoutes: FastifyPluginAsyncTypebox<DescribeDeps> = async (app, deps) => {
  // The options include the prefix of this plugin; passing it on would apply it twice.
  await app.register(stakeLists, { ...deps, prefix: '' })
  const { clock } = deps
  const today = () => businessDayOf(clock.now())

  const transactions = listOrFile(TransactionsQuery, TransactionsReply)
  app.get('/admin/transactions', { schema: transactions, config }, async (request, reply) => {
    const { query } = request
    const db = readsOf(request)
    const now = clock.now()
    const filter = { ...(await readScope(db, query)), range: readDayRange(query) }
    const order = { ...transactionOrder(query.sort_by, now), direction: query.sort_order }
    if (query.format === undefined) {
      const { records, counted } = await pageOfRecords(db, filter, { ...query, order })
      const described = records.map((record) => describeTransaction(deps, record, now))
      return { transactions: described, ...cappedFrame(query, counted) }
    }
    const batches = inBatches(db, {
      queries: (tx) => [orderedRecords(tx, filter, order).compile()],
      describe: (_tx, rows) => rows.map((row) => describeTransaction(deps, row, now)),
    })
    return sendCsv(reply, { name: 'transactions', day: today(), row: StakeTransaction, batches })
  })

  const rewards = listOrFile(AdminRewardsQuery, AdminRewardsReply)
  for (const path of ['/admin/reward-distribution-history', '/admin/user-reward-history']) {
    app.get(path, { schema: rewards, config }, async (request, reply) => {
      const { query } = request
      const db = readsOf(request)
      const scope = { ...(await readScope(db, query)), range: readDayRange(query) }
      const order = { sort: query.sort_by, direction: query.sort_order }
      if (query.format === undefined) {
        const { page, limit } = query
        const found = await findAllRewards(db, scope, { page, limit, ...order })
        const described = found.rows.map((row) => describeAnyReward(row, deps.dctDecimals))
        return { rewards: described, ...cappedFrame(query, found) }
      }
      const batches = inBatches(db, {
        queries: (tx) => rewardQueries(tx, scope, order),
        describe: (_tx, rows) => rows.map((row) => describeAnyReward(row, deps.dctDecimals)),
      })
      const name = 'reward-distribution'
      return sendCsv(reply, { name, day: today(), row: AdminRewardRecord, batches })
    })
  }
}

type StakeList = {
  path: string
  /** Of its file. */
  name: string
  isBooked?: true
  /** Stakes that began today, unless the query specifies other days. */
  isOfToday?: true
}

const STAKE_LISTS: readonly StakeList[] = [
  { path: '/admin/user-earnings', name: 'participants', isBooked: true },
  { path: '/admin/user-earning-history', name: 'earnings' },
  {
    path: '/admin/daily-user-earnings',
    name: 'daily-participants',
    isBooked: true,
    isOfToday: true,
  },
]

const stakeLists: FastifyPluginAsyncTypebox<DescribeDeps> = async (app, deps) => {
  const schema = listOrFile(AdminEarningsQuery, AdminEarningsReply)
  for (const { path, name, isBooked, isOfToday } of STAKE_LISTS) {
    app.get(path, { schema, config }, async (request, reply) => {
      const { query } = request
      const reading = { ...deps, db: readsOf(request) }
      const day = businessDayOf(deps.clock.now())
      const isUndated = !query.start_date && !query.end_date
      const days = isOfToday && isUndated ? { start_date: day, end_date: day } : {}
      const filter = {
        ...(await readFilter(reading.db, { ...query, ...days })),
        ...(isBooked === undefined ? {} : { isBooked }),
      }
      const order = { ...EARNING_ORDERS[query.sort_by], direction: query.sort_order }
      if (query.format === undefined) {
        const { records, counted } = await pageOfRecords(reading.db, filter, { ...query, order })
        const earnings = await describeEarnings(reading, records)
        return { earnings, ...cappedFrame(query, counted) }
      }
      const batches = inBatches(reading.db, {
        queries: (tx) => [orderedRecords(tx, filter, order).compile()],
        describe: (tx, rows) => describeEarnings({ ...deps, db: tx }, rows),
      })
      return sendCsv(reply, { name, day, row: AdminEarning, batches })
    })
  }
}

async function pageOfRecords(
  db: ReadDb,
  filter: RecordFilter,
  page: Parameters<typeof findRecords>[2],
) {
  const [records, counted] = await Promise.all([
    findRecords(db, filter, page),
    countRecords(db, filter),
  ])
  return { records, counted }
}

/** The stakes that a query selects, regardless of page and order. */
async function readFilter(db: ReadDb, query: AdminEarningsQuery): Promise<RecordFilter> {
  return {
    ...(await readScope(db, query)),
    range: readDayRange(query),
    ...(query.is_registered === undefined ? {} : { isRegistered: query.is_registered }),
  }
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

function transactionOrder(sort: TransactionSort, now: Date): Omit<RecordOrder, 'direction'> {
  switch (sort) {
    case 'created_at':
      return EARNING_ORDERS.start_date
    case 'is_active':
      return { by: sql`(s.state <> 'FAILED' and s.ends_at > ${now})`, isDivided: true }
    case 'tron_address':
      return EARNING_ORDERS.tron_address
    case 'earning_plan_code':
      return EARNING_ORDERS.earning_plan_code
    case 'trx_hash':
      return { by: sql`s.tx_hash` }
  }
}

function describeTransaction(
  { dctDecimals }: DescribeDeps,
  record: StakeRecord,
  now: Date,
): StakeTransaction {
  return {
    is_active: record.state !== 'FAILED' && record.ends_at > now,
    tron_address: formatTronAddress(record.staker),
    earning_plan_code: record.plan_code,
    trx_hash: record.tx_hash.toString('hex'),
    created_at: record.started_at.toISOString(),
    amount: formatAmount('DCT', record.amount, dctDecimals),
    is_hash_confirmed: record.state,
  }
}
