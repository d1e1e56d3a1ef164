import {
  RatePreviewQuery,
  RatePreviewReply,
  SecondApprovalsReply,
} from '@dct/api-contract/statements'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { userOf } from '../../platform/http.ts'
import { findTarget, readRate } from '../referrals/index.ts'
import { type PreviewRateDeps, previewRate } from './preview-rate.ts'
import { secondApprovals } from './second-approvals.queries.ts'

export type StatementsAdminRoutesDeps = PreviewRateDeps

const config = { role: 'admin' } as const

/** What admins look at before they decide. */
export const statementsAdminRoutes: FastifyPluginAsyncTypebox<StatementsAdminRoutesDeps> = async (
  app,
  deps,
) => {
  const preview = { querystring: RatePreviewQuery, response: { 200: RatePreviewReply } }
  app.get('/admin/referral-reward-preview', { schema: preview, config }, async ({ query }) => {
    const rateBps = readRate(query.referral_reward_percentage)
    const user = await findTarget(deps.db, query.target_tron_address)
    return previewRate(deps, { userId: user.id, rateBps })
  })

  const waiting = { response: { 200: SecondApprovalsReply } }
  app.get('/admin/second-approvals', { schema: waiting, config }, (request) =>
    secondApprovals(deps.db, { adminId: userOf(request).id, now: deps.clock.now() }),
  )
}
