import { CaseTokenParams, ReservesReply, SupportCase } from '@dct/api-contract/reports'
import { StatusReply } from '@dct/api-contract/status'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { remember } from '../../platform/http/remember.ts'
import { countAttempt } from '../auth/index.ts'
import { followCaseLink } from './case-links.ts'
import { describeForSupport } from './describe-case.ts'
import { type ReservesDeps, readReserves } from './read-reserves.ts'
import { readStatus, type StatusDeps } from './service-status.ts'

export type PublicRoutesDeps = ReservesDeps &
  StatusDeps & {
    db: Db
    realClock: Clock
    /** How long one reading of the chains is cached for all clients. */
    reservesForMs: number
    readsPerMinute: number
  }

/** How long one reading of the service's state is cached for all clients. */
const STATUS_FOR_MS = 5_000

/** The endpoints that require no account. */
export const publicRoutes: FastifyPluginAsyncTypebox<PublicRoutesDeps> = async (app, deps) => {
  const { db, realClock } = deps
  const reserves = remember({ realClock, forMs: deps.reservesForMs }, () => readReserves(deps))
  const config = { role: 'public' } as const
  const schema = { response: { 200: ReservesReply } }
  app.get('/public/reserves', { schema, config }, async ({ ip }) => {
    const attempt = { action: 'reserves', ip, subject: '', perMinute: deps.readsPerMinute }
    await countAttempt({ db, realClock }, attempt)
    return reserves()
  })

  // Not even counted by the rate limit: while the database is slow, all users check this page.
  const status = remember({ realClock, forMs: STATUS_FOR_MS }, () => readStatus(deps))
  app.get('/public/status', { schema: { response: { 200: StatusReply } }, config }, status)

  const shown = { params: CaseTokenParams, response: { 200: SupportCase } }
  app.get('/public/cases/:token', { schema: shown, config }, async ({ ip, params }) => {
    const attempt = { action: 'case', ip, subject: '', perMinute: deps.readsPerMinute }
    await countAttempt({ db, realClock }, attempt)
    return describeForSupport(deps, await followCaseLink(deps, params.token))
  })
}
