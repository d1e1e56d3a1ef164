import { ExportQuery } from '@dct/api-contract/common'
import {
  AdminClaimPoolHistoryQuery,
  AdminClaimPoolQuery,
  AdminReferralRewardsQuery,
  ClaimPoolEntry,
  ReferralNode,
  ReferralReward,
  UserParams,
  UserReferralsQuery,
} from '@dct/api-contract/referrals'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { Db } from '../../platform/database/db.ts'
import { csvSchema, sendCsv } from '../../platform/http/csv.ts'
import { readsOf } from '../../platform/http/http.ts'
import { instantsOf, readDayRange } from '../../platform/http/lists.ts'
import { orderedClaims } from './claims/claim-pool.queries.ts'
import { describeClaims } from './claims/describe-claim-pool.ts'
import { findTarget } from './find-target.ts'
import { kindFilter } from './referrals-admin.routes.ts'
import { orderedRewards } from './rewards/list-rewards.queries.ts'
import { describeNode, describeReward } from './serialize-referrals.ts'
import { allDirects } from './tree/list-downline.ts'

const config = { role: 'admin' } as const
const PoolExport = ExportQuery(AdminClaimPoolQuery)
const RewardsExport = ExportQuery(AdminReferralRewardsQuery)
const ClaimsExport = ExportQuery(AdminClaimPoolHistoryQuery)
const DirectsExport = ExportQuery(UserReferralsQuery)

type ReferralsCsvDeps = { db: Db; clock: Clock; dctDecimals: number }

/** Referral claims, and the lists of one user's referrals, as CSV files. */
export const referralsCsvRoutes: FastifyPluginAsyncTypebox<ReferralsCsvDeps> = async (
  app,
  deps,
) => {
  const { db, clock } = deps
  const today = () => businessDayOf(clock.now())

  const pool = { querystring: PoolExport, ...csvSchema() }
  app.get('/admin/referral-claim-pool/csv', { schema: pool, config }, async ({ query }, reply) => {
    const { bonus_type, ...listed } = query
    const filter = { ...listed, ...instantsOf(readDayRange(query)), ...kindFilter(bonus_type) }
    const batches = inBatches(db, {
      queries: (tx) => [orderedClaims(tx, filter).compile()],
      describe: describeClaims,
    })
    const name = 'referral-claim-pool'
    return sendCsv(reply, { name, day: today(), row: ClaimPoolEntry, batches })
  })

  const rewards = { params: UserParams, querystring: RewardsExport, ...csvSchema() }
  const rewardsPath = '/admin/referral-reward-history/:id/csv'
  app.get(rewardsPath, { schema: rewards, config }, async (request, reply) => {
    const { params, query } = request
    const reads = readsOf(request)
    const user = await findTarget(reads, params.id)
    const filter = { ...query, ...instantsOf(readDayRange(query)) }
    const batches = inBatches(reads, {
      queries: (tx) => [orderedRewards(tx, user.id, filter).compile()],
      describe: (_tx, rows) => rows.map(describeReward),
    })
    const name = 'referral-rewards'
    return sendCsv(reply, { name, day: today(), row: ReferralReward, batches })
  })

  const claims = { params: UserParams, querystring: ClaimsExport, ...csvSchema() }
  const claimsPath = '/admin/referral-claim-pool-history/:id/csv'
  app.get(claimsPath, { schema: claims, config }, async (request, reply) => {
    const { params, query } = request
    const reads = readsOf(request)
    const user = await findTarget(reads, params.id)
    const filter = { ...query, ...instantsOf(readDayRange(query)), userId: user.id }
    const batches = inBatches(reads, {
      queries: (tx) => [orderedClaims(tx, filter).compile()],
      describe: describeClaims,
    })
    return sendCsv(reply, { name: 'referral-claims', day: today(), row: ClaimPoolEntry, batches })
  })

  const directs = { params: UserParams, querystring: DirectsExport, ...csvSchema() }
  const directsPath = '/admin/user-referrals/:id/csv'
  app.get(directsPath, { schema: directs, config }, async (request, reply) => {
    const { params, query } = request
    const reads = readsOf(request)
    const user = await findTarget(reads, params.id)
    const found = await allDirects(reads, user.id, query)
    const batches = inBatches(reads, {
      queries: (tx) => (found.query === undefined ? [] : [found.query.compile(tx)]),
      describe: async (tx, rows) => {
        const nodes = await found.describe(tx, rows)
        return nodes.map((node) => describeNode(node, deps.dctDecimals))
      },
    })
    return sendCsv(reply, { name: 'referrals', day: today(), row: ReferralNode, batches })
  })
}
