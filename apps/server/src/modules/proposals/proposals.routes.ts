import { MessageReply } from '@dct/api-contract/common'
import { DeclineProposalBody, WithdrawProposalBody } from '@dct/api-contract/proposals'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { userOf } from '../../platform/http/http.ts'
import { declineProposal, type EndProposalDeps, withdrawProposal } from './end-proposal.ts'

const PATH = '/admin/proposals'
const config = { role: 'admin' } as const
const response = { 200: MessageReply }

/**
 * How admins end what waits for a second one without deciding it. A second admin agrees by sending the same as the
 * first: a price, a fee setting, a percentage, the approval of a claim.
 */
export const proposalsRoutes: FastifyPluginAsyncTypebox<EndProposalDeps> = async (app, deps) => {
  const withdraw = { body: WithdrawProposalBody, response }
  app.post(`${PATH}/withdraw`, { schema: withdraw, config }, async (request) => {
    const { id, proposed_at: at } = request.body
    await withdrawProposal(deps, { id, proposedAt: new Date(at), adminId: userOf(request).id })
    return { message: SUCCESSES.PROPOSAL_WITHDRAWN }
  })

  const decline = { body: DeclineProposalBody, response }
  app.post(`${PATH}/decline`, { schema: decline, config }, async (request) => {
    const { id, proposed_at: at, reason } = request.body
    const seen = { id, proposedAt: new Date(at), adminId: userOf(request).id }
    await declineProposal(deps, { ...seen, reason: reason.trim() })
    return { message: SUCCESSES.PROPOSAL_DECLINED }
  })
}
