import {
  type EarningSort,
  JoinBody,
  JoinReply,
  RequestClaimBody,
  RequestClaimReply,
  RewardsQuery,
  RewardsReply,
  type UserEarning,
  UserEarningsQuery,
  UserEarningsReply,
} from '@dct/api-contract/earnings'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import { readAmount } from '../../platform/amounts.ts'
import { invariant } from '../../platform/errors.ts'
import { userOf } from '../../platform/http/http.ts'
import { normalizePlanCode } from '../../platform/http/lenient-query.ts'
import { listFrame, readDayRange, totalByPage } from '../../platform/http/lists.ts'
import { type CapitalDeps, type CapitalState, claimCapital } from './capital.ts'
import { type AnnounceJoinDeps, announceJoin } from './joining/announce-join.ts'
import { type DescribeDeps, describeEarnings, type ReadingDeps } from './lists/describe-earnings.ts'
import { describeReward } from './lists/describe-rewards.ts'
import { readScope } from './lists/list-search.ts'
import { findHolderRewards } from './lists/reward-rows.queries.ts'
import {
  countRecords,
  findRecords,
  type RecordFilter,
  type RecordOrder,
} from './lists/stake-records.queries.ts'

export type EarningsRoutesDeps = AnnounceJoinDeps & CapitalDeps & DescribeDeps

/** The order for each sortable column of the lists of stakes, matching an index where there is one. */
export const EARNING_ORDERS: Readonly<Record<EarningSort, Omit<RecordOrder, 'direction'>>> = {
  start_date: { by: sql`s.started_at`, isByStart: true },
  end_date: { by: sql`s.ends_at` },
  earning_plan_code: { by: sql`s.plan_code`, second: sql`s.started_at` },
  tron_address: { by: sql`s.staker` },
  total_locked_amount: { by: sql`s.amount` },
  total_reward: { by: sql`s.reward` },
  daily_reward: { by: sql`div(s.reward, s.cycles::numeric)` },
}

const config = { role: 'user' } as const

/** A holder's own stakes and rewards. */
export const earningsRoutes: FastifyPluginAsyncTypebox<EarningsRoutesDeps> = async (app, deps) => {
  const list = { querystring: UserEarningsQuery, response: { 200: UserEarningsReply } }
  app.get('/user/earnings', { schema: list, config }, (request) =>
    answerEarnings(deps, userOf(request).address, request.query, { isCurrent: true }),
  )
  app.get('/user/user-earning-history', { schema: list, config }, (request) =>
    answerEarnings(deps, userOf(request).address, request.query, {}),
  )

  const join = { body: JoinBody, response: { 200: JoinReply } }
  app.post(
    '/user/earnings',
    { schema: join, config: { ...config, asksNode: true } },
    async (request) => {
      const { body } = request
      const { id: userId, address: staker } = userOf(request)
      const amount = readAmount('DCT', body.amount, { field: 'amount', decimals: deps.dctDecimals })
      const planCode = normalizePlanCode(body.plan_code)
      const joined = await announceJoin(deps, {
        userId,
        staker,
        planCode,
        amount,
        txHash: body.trx_hash,
      })
      const message = joined.state === 'SUCCESS' ? SUCCESSES.PLAN_JOINED : SUCCESSES.JOIN_RECEIVED
      return { message, earning: await readEarning(deps, { staker, txHash: joined.txHash }) }
    },
  )

  const capital = { body: RequestClaimBody, response: { 200: RequestClaimReply } }
  app.post('/user/request-claim', { schema: capital, config }, async (request) => {
    const { address: staker } = userOf(request)
    const planCode = normalizePlanCode(request.body.earning_plan_code)
    const state = await claimCapital(deps, { staker, planCode })
    return { message: CAPITAL_MESSAGES[state], capital_state: state }
  })

  const rewards = { querystring: RewardsQuery, response: { 200: RewardsReply } }
  for (const path of ['/user/reward-distribution-history', '/user/user-reward-history']) {
    app.get(path, { schema: rewards, config }, (request) =>
      answerRewards(deps, userOf(request).address, request.query),
    )
  }
}

const CAPITAL_MESSAGES: Readonly<Record<CapitalState, string>> = {
  locked: SUCCESSES.CAPITAL_LOCKED,
  due: SUCCESSES.CAPITAL_DUE,
  releasing: SUCCESSES.CAPITAL_RELEASING,
  released: SUCCESSES.CAPITAL_RELEASED,
}

async function answerEarnings(
  deps: ReadingDeps,
  staker: Buffer,
  query: UserEarningsQuery,
  which: { isCurrent?: boolean },
): Promise<UserEarningsReply> {
  const filter: RecordFilter = { ...(await readScope(deps.db, query)), ...which, staker }
  const order = { ...EARNING_ORDERS[query.sort_by], direction: query.sort_order }
  const records = await findRecords(deps.db, filter, { ...query, order })
  const total = totalByPage(query, records.length) ?? (await countRecords(deps.db, filter)).total
  return { earnings: await describeEarnings(deps, records), ...listFrame(query, total) }
}

async function readEarning(
  deps: EarningsRoutesDeps,
  key: { staker: Buffer; txHash: Buffer },
): Promise<UserEarning> {
  const order = { ...EARNING_ORDERS.start_date, direction: 'desc' } as const
  const records = await findRecords(
    deps.db,
    { search: { kind: 'all' }, ...key },
    { page: 1, limit: 1, order },
  )
  const [earning] = await describeEarnings(deps, records)
  invariant(earning !== undefined, 'the join just announced does not exist')
  return earning
}

async function answerRewards(
  deps: ReadingDeps,
  staker: Buffer,
  query: RewardsQuery,
): Promise<RewardsReply> {
  const { rows, total } = await findHolderRewards(deps.db, {
    page: query.page,
    limit: query.limit,
    staker,
    planCode: query.earning_plan_code || undefined,
    search: query.search,
    dctDecimals: deps.dctDecimals,
    range: readDayRange(query),
    sort: query.sort_by,
    direction: query.sort_order,
  })
  return {
    rewards: rows.map((row) => describeReward(row, deps.dctDecimals)),
    ...listFrame(query, total),
  }
}
