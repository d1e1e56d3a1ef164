import type { FastifyReply, FastifyRequest } from 'fastify'

const DAY_SECONDS = 86_400
/** Response headers to expose, beyond the few that any page may read. */
const READABLE = 'retry-after, content-disposition'

/**
 * Lets the pages of these origins call the API from a browser. Calls are authorised by a token in a header, not by a
 * cookie, so an origin can use only tokens that its own pages have.
 * @returns whether the request was a preflight, which is then already answered
 */
export function answerOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  allowedOrigins: readonly string[],
): boolean {
  const { origin, 'access-control-request-method': wanted } = request.headers
  if (origin === undefined || !allowedOrigins.includes(origin)) return false
  void reply
    .header('access-control-allow-origin', origin)
    .header('vary', 'origin')
    .header('access-control-expose-headers', READABLE)
  if (request.method !== 'OPTIONS' || wanted === undefined) return false
  void reply
    .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
    .header('access-control-allow-headers', 'authorization, content-type')
    .header('access-control-max-age', DAY_SECONDS)
    .code(204)
    .send()
  return true
}
