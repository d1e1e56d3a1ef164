import { NewsQuery, NewsReply } from '@dct/api-contract/news'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { userOf } from '../../platform/http/http.ts'
import type { NewsDesk } from './news/news-desk.ts'

/** The long-poll request by which open pages learn whether anything of their holder has changed. */
export const newsRoutes: FastifyPluginAsyncTypebox<{ news: NewsDesk }> = async (app, { news }) => {
  const schema = { querystring: NewsQuery, response: { 200: NewsReply, 204: Type.Null() } }
  const config = { role: 'user', isBackground: true } as const
  app.get('/user/news', { schema, config }, async (request, reply) => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const { since } = request.query
    const found = await news.ask(userOf(request), { since, isGone: gone.signal })
    return found ?? reply.code(204).send(null)
  })
}
