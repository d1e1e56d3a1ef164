import {
  AdminEarningsQuery,
  AdminEarningsReply,
  AdminRewardsQuery,
  AdminRewardsReply,
  type StakeTransaction,
  type TransactionSort,
  TransactionsQuery,
  TransactionsReply,
} from '@dct/api-contract/earnings'
import { formatAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import { businessDayOf } from '../../platform/clock.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import { readsOf } from '../../platform/http/http.ts'
import { cappedFrame, readDayRange } from '../../platform/http/lists.ts'
import { EARNING_ORDERS } from './earnings.routes.ts'
import { type DescribeDeps, describeEarnings, type ReadingDeps } from './lists/describe-earnings.ts'
import { describeAnyReward } from './lists/describe-rewards.ts'
import { findAllRewards } from './lists/find-all-rewards.ts'
import { readScope } from './lists/list-search.ts'
import {
  countRecords,
  findRecords,
  type RecordFilter,
  type RecordOrder,
  type StakeRecord,
} from './lists/stake-records.queries.ts'

const config = { role: 'admin' } as const

/** All holders' stakes and rewards, for admins. */
export const earningsAdminRoutes: FastifyPluginAsyncTypebox<DescribeDeps> = async (app, deps) => {
  const list = { querystring: AdminEarningsQuery, response: { 200: AdminEarningsReply } }
  app.get('/admin/user-earnings', { schema: list, config }, (request) =>
    answerEarnings({ ...deps, db: readsOf(request) }, request.query, { isBooked: true }),
  )
  app.get('/admin/user-earning-history', { schema: list, config }, (request) =>
    answerEarnings({ ...deps, db: readsOf(request) }, request.query, {}),
  )
  // Stakes that began today, unless the query specifies other days.
  app.get('/admin/daily-user-earnings', { schema: list, config }, (request) => {
    const today = businessDayOf(deps.clock.now())
    const reading = { ...deps, db: readsOf(request) }
    const isDated = Boolean(request.query.start_date || request.query.end_date)
    const days = isDated ? {} : { start_date: today, end_date: today }
    return answerEarnings(reading, { ...request.query, ...days }, { isBooked: true })
  })

  const transactions = { querystring: TransactionsQuery, response: { 200: TransactionsReply } }
  app.get('/admin/transactions', { schema: transactions, config }, (request) =>
    answerTransactions({ ...deps, db: readsOf(request) }, request.query),
  )

  const rewards = { querystring: AdminRewardsQuery, response: { 200: AdminRewardsReply } }
  for (const path of ['/admin/reward-distribution-history', '/admin/user-reward-history']) {
    app.get(path, { schema: rewards, config }, (request) =>
      answerRewards({ ...deps, db: readsOf(request) }, request.query),
    )
  }
}

async function answerEarnings(
  deps: ReadingDeps,
  query: AdminEarningsQuery,
  which: { isBooked?: boolean },
): Promise<AdminEarningsReply> {
  const filter = await readFilter(deps.db, query, which)
  const order = { ...EARNING_ORDERS[query.sort_by], direction: query.sort_order }
  const [records, counted] = await Promise.all([
    findRecords(deps.db, filter, { ...query, order }),
    countRecords(deps.db, filter),
  ])
  return {
    earnings: await describeEarnings(deps, records),
    ...cappedFrame(query, counted),
  }
}

/** The stakes that a query selects, regardless of page and order. */
export async function readFilter(
  db: ReadDb,
  query: Omit<AdminEarningsQuery, 'page' | 'limit'>,
  which: { isBooked?: boolean },
): Promise<RecordFilter> {
  return {
    ...(await readScope(db, query)),
    ...which,
    range: readDayRange(query),
    ...(query.is_registered === undefined ? {} : { isRegistered: query.is_registered }),
  }
}

export function transactionOrder(sort: TransactionSort, now: Date): Omit<RecordOrder, 'direction'> {
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

async function answerTransactions(
  deps: ReadingDeps,
  query: TransactionsQuery,
): Promise<TransactionsReply> {
  const now = deps.clock.now()
  const filter: RecordFilter = {
    ...(await readScope(deps.db, query)),
    range: readDayRange(query),
  }
  const order = { ...transactionOrder(query.sort_by, now), direction: query.sort_order }
  const [records, counted] = await Promise.all([
    findRecords(deps.db, filter, { ...query, order }),
    countRecords(deps.db, filter),
  ])
  return {
    transactions: records.map((record) => describeTransaction(deps, record, now)),
    ...cappedFrame(query, counted),
  }
}

export function describeTransaction(
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

async function answerRewards(
  deps: ReadingDeps,
  query: AdminRewardsQuery,
): Promise<AdminRewardsReply> {
  const scope = { ...(await readScope(deps.db, query)), range: readDayRange(query) }
  const found = await findAllRewards(deps.db, scope, {
    page: query.page,
    limit: query.limit,
    sort: query.sort_by,
    direction: query.sort_order,
  })
  return {
    rewards: found.rows.map((row) => describeAnyReward(row, deps.dctDecimals)),
    ...cappedFrame(query, found),
  }
}
