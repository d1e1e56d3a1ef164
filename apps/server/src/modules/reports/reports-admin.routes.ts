import { ProposalsReply } from '@dct/api-contract/proposals'
import { RatePreviewQuery, RatePreviewReply } from '@dct/api-contract/reports'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { userOf } from '../../platform/http/http.ts'
import { findTarget, readRate } from '../referrals/index.ts'
import { type PreviewRateDeps, previewRate } from './preview-rate.ts'
import { waitingProposals } from './waiting-proposals.queries.ts'

export type ReportsAdminRoutesDeps = PreviewRateDeps

const config = { role: 'admin' } as const

/** Previews and pending decisions for admins. */
export const reportsAdminRoutes: FastifyPluginAsyncTypebox<ReportsAdminRoutesDeps> = async (
  app,
  deps,
) => {
  const preview = { querystring: RatePreviewQuery, response: { 200: RatePreviewReply } }
  app.get('/admin/referral-reward-preview', { schema: preview, config }, async (request) => {
    const { query } = request
    const rateBps = readRate(query.referral_reward_percentage)
    const user = await findTarget(deps.db, query.target_tron_address)
    return previewRate(deps, { userId: user.id, rateBps, adminId: userOf(request).id })
  })

  const waiting = { response: { 200: ProposalsReply } }
  app.get('/admin/proposals', { schema: waiting, config }, async (request) => ({
    proposals: await waitingProposals(deps.db, {
      ...{ adminId: userOf(request).id, now: deps.clock.now() },
    }),
  }))
}
