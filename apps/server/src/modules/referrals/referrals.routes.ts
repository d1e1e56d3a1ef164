import {
  ClaimPoolHistoryQuery,
  ClaimPoolHistoryReply,
  DownlineQuery,
  ReferralEarningsQuery,
  ReferralEarningsReply,
  ReferralRewardsQuery,
  ReferralRewardsReply,
  ReferralSummaryReply,
  ReferralsReply,
  ReferralTreeReply,
  SaveReferralClaimBody,
  SaveReferralClaimReply,
} from '@dct/api-contract/referrals'
import { successOf } from '@dct/api-contract/successes'
import { formatAmount } from '@dct/money'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { userOf } from '../../platform/http/http.ts'
import { listFrame } from '../../platform/http/lists.ts'
import { type SaveReferralClaimDeps, saveReferralClaim } from './claims/save-referral-claim.ts'
import { earningsOverTime } from './rewards/earnings-over-time.ts'
import {
  answerClaims,
  answerRewards,
  describeNode,
  describeSummary,
  describeTree,
} from './serialize-referrals.ts'
import { downlineTree } from './tree/downline-tree.ts'
import { type ListDeps, listDownline } from './tree/list-downline.ts'

export type ReferralsRoutesDeps = SaveReferralClaimDeps & ListDeps & { dctDecimals: number }

const config = { role: 'user' } as const

/** A holder's downline, referral rewards and referral claims. */
export const referralsRoutes: FastifyPluginAsyncTypebox<ReferralsRoutesDeps> = async (
  app,
  deps,
) => {
  const downline = { querystring: DownlineQuery, response: { 200: ReferralsReply } }
  app.get('/auth/referrals', { schema: downline, config: { role: 'any' } }, async (request) => {
    const { nodes, total } = await listDownline(deps, userOf(request).id, request.query)
    const referrals = nodes.map((node) => describeNode(node, deps.dctDecimals))
    return { referrals, ...listFrame(request.query, total) }
  })

  const summary = { response: { 200: ReferralSummaryReply } }
  app.get('/user/referral-summary', { schema: summary, config }, async (request) => ({
    referral_summary: await describeSummary(deps.db, userOf(request)),
  }))

  const tree = { response: { 200: ReferralTreeReply } }
  app.get('/user/referral-tree', { schema: tree, config }, async (request) =>
    describeTree(await downlineTree(deps.db, userOf(request).id)),
  )

  const earnings = {
    querystring: ReferralEarningsQuery,
    response: { 200: ReferralEarningsReply },
  }
  app.get('/user/referral-earnings', { schema: earnings, config }, async (request) => {
    const { by } = request.query
    const span = { by, now: deps.clock.now() }
    const periods = await earningsOverTime(deps.db, userOf(request).id, span)
    return {
      by,
      periods: periods.map(({ start, direct, indirect }) => ({
        start,
        direct: formatAmount('USDT', direct),
        indirect: formatAmount('USDT', indirect),
      })),
    }
  })

  const rewards = { querystring: ReferralRewardsQuery, response: { 200: ReferralRewardsReply } }
  app.get('/user/referral-reward-history', { schema: rewards, config }, (request) =>
    answerRewards(deps.db, userOf(request).id, request.query),
  )

  const claims = { querystring: ClaimPoolHistoryQuery, response: { 200: ClaimPoolHistoryReply } }
  app.get('/user/referral-claim-pool-history', { schema: claims, config }, (request) =>
    answerClaims(deps.db, userOf(request).id, request.query),
  )

  const save = { body: SaveReferralClaimBody, response: { 200: SaveReferralClaimReply } }
  app.post('/user/save-referral-claim-pool', { schema: save, config }, async (request) => {
    const { usdt_address: usdtAddress, type, nonce, signature } = request.body
    const user = userOf(request)
    const input = { user, usdtAddress, type, nonce, signature, ip: request.ip }
    const claim = await saveReferralClaim(deps, input)
    const amount = formatAmount('USDT', claim.amount)
    return {
      message: successOf('REFERRAL_CLAIM_SAVED', { amount }),
      id: `${claim.id}`,
      total_accumulated: amount,
    }
  })
}
