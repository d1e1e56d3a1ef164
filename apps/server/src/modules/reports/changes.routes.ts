import { ChangesQuery, ChangesReply } from '@dct/api-contract/changes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { userOf } from '../../platform/http/http.ts'
import type { LongPoll } from './changes/long-poll.ts'

/** The long-poll request by which open pages learn whether anything of their holder has changed. */
export const changesRoutes: FastifyPluginAsyncTypebox<{ longPoll: LongPoll }> = async (
  app,
  { longPoll },
) => {
  const schema = { querystring: ChangesQuery, response: { 200: ChangesReply, 204: Type.Null() } }
  const config = { role: 'user', isBackground: true } as const
  app.get('/user/changes', { schema, config }, async (request, reply) => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const { since } = request.query
    const found = await longPoll.ask(userOf(request), { since, isGone: gone.signal })
    return found ?? reply.code(204).send(null)
  })
}
