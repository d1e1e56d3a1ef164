import { OwedDaysReply, OwnOwedReply } from '@dct/api-contract/owed-list'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { userOf } from '../../platform/http/http.ts'
import { countAttempt } from '../auth/index.ts'
import { describeOwedDay, describeOwnOwed } from './owed-list/describe-owed.ts'
import { latestOwedDays } from './owed-list/owed-list.queries.ts'

export type OwedListRoutesDeps = { db: Db; realClock: Clock; readsPerMinute: number }

const DAYS_SHOWN = 30

/** The daily lists of what referrers are owed, for everybody; and a holder's own place in the newest one. */
export const owedListRoutes: FastifyPluginAsyncTypebox<OwedListRoutesDeps> = async (app, deps) => {
  const { db, realClock } = deps
  const days = { response: { 200: OwedDaysReply } }
  app.get('/public/owed', { schema: days, config: { role: 'public' } }, async ({ ip }) => {
    const attempt = { action: 'owed', ip, subject: '', perMinute: deps.readsPerMinute }
    await countAttempt({ db, realClock }, attempt)
    return { days: (await latestOwedDays(db, DAYS_SHOWN)).map(describeOwedDay) }
  })

  const ownPlace = { response: { 200: OwnOwedReply } }
  app.get('/user/owed', { schema: ownPlace, config: { role: 'user' } }, (request) =>
    describeOwnOwed(db, userOf(request)),
  )
}
