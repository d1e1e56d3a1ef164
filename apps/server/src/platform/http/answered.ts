import type { FastifyReply, FastifyRequest } from 'fastify'

/** A call as it was answered. */
export type Answered = {
  id: string
  method: string
  /** The pattern of the matched route, which contains no id or token of a path. */
  route: string
  status: number
  seconds: number
  /** The signed-in user. */
  user: bigint | undefined
}

/** The call of a request that reached the router. */
export function answeredOf(request: FastifyRequest, reply: FastifyReply): Answered {
  return {
    id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1_000,
    user: request.sessionUser?.id,
  }
}
