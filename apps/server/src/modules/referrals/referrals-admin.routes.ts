import { doneOrWaiting, MessageReply } from '@dct/api-contract/common'
import {
  AdminClaimPoolHistoryQuery,
  AdminClaimPoolQuery,
  AdminClaimPoolReply,
  AdminReferralRewardsQuery,
  ApproveReferralClaimBody,
  ApproveReferralClaimReply,
  ClaimPoolEntry,
  ClaimPoolHistoryReply,
  DownlineTurnoverReply,
  EndReferralClaimBody,
  ReferralNode,
  ReferralReward,
  ReferralRewardsReply,
  ReferralsReply,
  readBonusType,
  UpdateReferralRewardBody,
  UpdateReferralRewardReply,
  UserParams,
  UserReferralsQuery,
} from '@dct/api-contract/referrals'
import { SUCCESSES } from '@dct/api-contract/successes'
import { formatAmount, formatUnits } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import type { ReferralKind } from '@dct/rules/referral-shares'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { readsOf, userOf } from '../../platform/http/http.ts'
import { cappedFrame, instantsOf, listFrame, readDayRange } from '../../platform/http/lists.ts'
import type { StepUpGuard } from '../auth/index.ts'
import { type ApproveDeps, approveReferralClaim } from './claims/approve-referral-claim.ts'
import { listClaims, orderedClaims } from './claims/claim-pool.queries.ts'
import { countUnapproved } from './claims/claim-queue.queries.ts'
import { describeClaims } from './claims/describe-claim-pool.ts'
import { declineReferralClaim, returnReferralClaim } from './claims/end-referral-claim.ts'
import { kindOf } from './claims/read-referral-claim-request.ts'
import { committedFunds } from './claims/referral-claims.queries.ts'
import { findTarget } from './find-target.ts'
import { orderedRewards } from './rewards/list-rewards.queries.ts'
import { readRate, type SetRateDeps, setReferralRate } from './rewards/set-referral-rate.ts'
import { answerClaims, answerRewards, describeNode, describeReward } from './serialize-referrals.ts'
import { downlineFigures } from './tree/downline-figures.queries.ts'
import { allDirects, type ListDeps, listDirects } from './tree/list-downline.ts'

export type ReferralsAdminRoutesDeps = ListDeps &
  ApproveDeps &
  SetRateDeps & { dctDecimals: number; requireStepUp: StepUpGuard }
type Routes = FastifyPluginAsyncTypebox<ReferralsAdminRoutesDeps>

const config = { role: 'admin' } as const
const asking = { ...config, asksNode: true } as const

/** Referrals for admins: any user's tree, rewards and claims; percentages and approvals. */
export const referralsAdminRoutes: Routes = async (app, deps) => {
  // The options include the prefix of this plugin; passing it on would apply it twice.
  await app.register(userRoutes, { ...deps, prefix: '' })
  await app.register(claimPoolRoutes, { ...deps, prefix: '' })
}

const userRoutes: Routes = async (app, deps) => {
  const { db, dctDecimals } = deps
  const today = () => businessDayOf(deps.clock.now())

  const tree = { params: UserParams, ...listOrFile(UserReferralsQuery, ReferralsReply) }
  app.get('/admin/user-referrals/:id', { schema: tree, config }, async (request, reply) => {
    const { params, query } = request
    const user = await findTarget(db, params.id)
    if (query.format === undefined) {
      const { nodes, total } = await listDirects(deps, user.id, query)
      const referrals = nodes.map((node) => describeNode(node, dctDecimals))
      return { referrals, ...listFrame(query, total) }
    }
    const found = await allDirects(db, user.id, query)
    const batches = inBatches(db, {
      queries: (tx) => (found.query === undefined ? [] : [found.query.compile(tx)]),
      describe: async (tx, rows) => {
        const nodes = await found.describe(tx, rows)
        return nodes.map((node) => describeNode(node, dctDecimals))
      },
    })
    return sendCsv(reply, { name: 'referrals', day: today(), row: ReferralNode, batches })
  })

  const turnover = { params: UserParams, response: { 200: DownlineTurnoverReply } }
  app.get('/admin/downline-turnover/:id', { schema: turnover, config }, async (request) => {
    const reads = readsOf(request)
    const user = await findTarget(reads, request.params.id)
    const figures = (await downlineFigures(reads, [user.id])).get(user.id)
    const data = {
      total_downline: figures?.members ?? 0,
      total_turnover: formatUnits(figures?.turnover ?? 0n, dctDecimals),
    }
    return { data, ...data }
  })

  const rewards = {
    params: UserParams,
    ...listOrFile(AdminReferralRewardsQuery, ReferralRewardsReply),
  }
  const rewardsPath = '/admin/referral-reward-history/:id'
  app.get(rewardsPath, { schema: rewards, config }, async (request, reply) => {
    const { params, query } = request
    const reads = readsOf(request)
    const user = await findTarget(reads, params.id)
    if (query.format === undefined) return answerRewards(reads, user.id, query)
    const filter = { ...query, ...instantsOf(readDayRange(query)) }
    const batches = inBatches(reads, {
      queries: (tx) => [orderedRewards(tx, user.id, filter).compile()],
      describe: (_tx, rows) => rows.map(describeReward),
    })
    return sendCsv(reply, { name: 'referral-rewards', day: today(), row: ReferralReward, batches })
  })

  const claims = {
    params: UserParams,
    ...listOrFile(AdminClaimPoolHistoryQuery, ClaimPoolHistoryReply),
  }
  const claimsPath = '/admin/referral-claim-pool-history/:id'
  app.get(claimsPath, { schema: claims, config }, async (request, reply) => {
    const { params, query } = request
    const reads = readsOf(request)
    const user = await findTarget(reads, params.id)
    if (query.format === undefined) return answerClaims(reads, user.id, query)
    const filter = { ...query, ...instantsOf(readDayRange(query)), userId: user.id }
    const batches = claimBatches(reads, filter)
    return sendCsv(reply, { name: 'referral-claims', day: today(), row: ClaimPoolEntry, batches })
  })

  const rate = {
    body: UpdateReferralRewardBody,
    response: doneOrWaiting(UpdateReferralRewardReply),
  }
  app.put('/admin/update-referral-reward', { schema: rate, config }, async (request, reply) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const rateBps = readRate(request.body.referral_reward_percentage)
    const user = await findTarget(db, request.body.target_tron_address)
    const set = await setReferralRate(deps, { userId: user.id, rateBps, adminId: admin.id })
    return reply.code(set.isSet ? 200 : 202).send({
      message: set.isSet ? SUCCESSES.PERCENTAGE_SET : SUCCESSES.PERCENTAGE_NEEDS_SECOND,
      tron_address: formatTronAddress(user.address),
      referral_reward_percentage: formatPercentage(set.rateBps),
      is_set: set.isSet,
    })
  })
}

const claimPoolRoutes: Routes = async (app, deps) => {
  const { db } = deps
  const pool = listOrFile(AdminClaimPoolQuery, AdminClaimPoolReply)
  app.get('/admin/referral-claim-pool', { schema: pool, config }, async (request, reply) => {
    const { bonus_type, ...query } = request.query
    const filter = { ...query, ...instantsOf(readDayRange(query)), ...kindFilter(bonus_type) }
    if (query.format !== undefined) {
      const day = businessDayOf(deps.clock.now())
      const batches = claimBatches(db, filter)
      return sendCsv(reply, { name: 'referral-claim-pool', day, row: ClaimPoolEntry, batches })
    }
    const claims = await listClaims(db, filter)
    const unapproved = await countUnapproved(db)
    return {
      claim_pool: await describeClaims(db, claims.rows),
      ...cappedFrame(query, claims),
      unapproved: { 'direct bonus': unapproved.direct, 'non-direct': unapproved.indirect },
      approved_unpaid: formatAmount('USDT', await committedFunds(db)),
    }
  })

  const approve = {
    body: ApproveReferralClaimBody,
    response: doneOrWaiting(ApproveReferralClaimReply),
  }
  app.put(
    '/admin/referral-claim-approval',
    { schema: approve, config: asking },
    async (request, reply) => {
      const admin = userOf(request)
      await deps.requireStepUp(admin)
      const claimId = BigInt(request.body.id)
      const isApproved = await approveReferralClaim(deps, { claimId, adminId: admin.id })
      return reply.code(isApproved ? 200 : 202).send({
        message: isApproved
          ? SUCCESSES.REFERRAL_CLAIM_APPROVED
          : SUCCESSES.REFERRAL_CLAIM_NEEDS_SECOND,
        is_approved: isApproved,
      })
    },
  )

  const end = { body: EndReferralClaimBody, response: { 200: MessageReply } }
  app.put('/admin/referral-claim-decline', { schema: end, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { id, reason } = request.body
    await declineReferralClaim(deps, { claimId: BigInt(id), adminId: admin.id, reason })
    return { message: SUCCESSES.REFERRAL_CLAIM_DECLINED }
  })
  app.put('/admin/referral-claim-return', { schema: end, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { id, reason } = request.body
    await returnReferralClaim(deps, { claimId: BigInt(id), adminId: admin.id, reason })
    return { message: SUCCESSES.REFERRAL_CLAIM_RETURNED }
  })
}

function claimBatches(db: ReadDb, filter: Parameters<typeof orderedClaims>[1]) {
  return inBatches(db, {
    queries: (tx) => [orderedClaims(tx, filter).compile()],
    describe: describeClaims,
  })
}

/** @throws Refusal `BONUS_TYPE_UNKNOWN` */
function kindFilter(text: string | undefined): { kind?: ReferralKind } {
  if (text === undefined || text === '') return {}
  const bonusType = readBonusType(text)
  if (bonusType === undefined) throw new Refusal('BONUS_TYPE_UNKNOWN')
  return { kind: kindOf(bonusType) }
}
