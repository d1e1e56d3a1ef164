import { ProofBody, SessionParams, SessionsReply, StepUpReply } from '@dct/api-contract/auth'
import { MessageReply } from '@dct/api-contract/common'
import { SUCCESSES, successOf } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Refusal } from '../../platform/errors.ts'
import { userOf } from '../../platform/http/http.ts'
import type { SignInDeps } from './log-in.ts'
import {
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  listSessions,
} from './sessions.queries.ts'
import { stepUp } from './step-up.ts'

/** Logout, the list of sessions, ending all of them, and step-up. */
export const sessionsRoutes: FastifyPluginAsyncTypebox<SignInDeps> = async (app, deps) => {
  const config = { role: 'any' } as const
  const message = { response: { 200: MessageReply } }

  app.post('/auth/logout', { schema: message, config }, async (request) => {
    await deleteSession(deps.db, userOf(request).sessionHash)
    return { message: 'Logout succeeded!' }
  })

  const list = { response: { 200: SessionsReply } }
  app.get('/auth/sessions', { schema: list, config }, async (request) => {
    const user = userOf(request)
    const now = deps.realClock.now()
    const sessions = await listSessions(deps.db, { userId: user.id, now })
    return {
      sessions: sessions.map((session) => ({
        id: String(session.id),
        created_at: session.created_at.toISOString(),
        last_seen_at: session.last_seen_at.toISOString(),
        expires_at: session.expires_at.toISOString(),
        network: session.network,
        user_agent: session.user_agent,
        is_current: session.token_hash.equals(user.sessionHash),
      })),
    }
  })

  app.delete('/auth/sessions', { schema: message, config }, async (request) => {
    const ended = await deleteSessionsOf(deps.db, userOf(request).id)
    return { message: successOf('SESSIONS_ENDED', { count: ended }) }
  })

  const one = { params: SessionParams, response: { 200: MessageReply } }
  app.delete('/auth/sessions/:id', { schema: one, config }, async (request) => {
    const key = { userId: userOf(request).id, id: BigInt(request.params.id) }
    if (!(await deleteSessionOf(deps.db, key))) throw new Refusal('SESSION_NOT_FOUND')
    return { message: SUCCESSES.SESSION_ENDED }
  })

  const confirm = { body: ProofBody, response: { 200: StepUpReply } }
  app.post('/auth/step-up', { schema: confirm, config }, async (request) => {
    const { nonce, signature } = request.body
    const user = userOf(request)
    const until = await stepUp(deps, { user, nonce, signature, ip: request.ip })
    return {
      message: SUCCESSES.WALLET_CONFIRMED,
      confirmed_until: until.toISOString(),
    }
  })
}
