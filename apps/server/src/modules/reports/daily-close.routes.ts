import {
  DailyCloseReply,
  DailyClosesQuery,
  DailyClosesReply,
  DayParams,
  DayStatement,
} from '@dct/api-contract/reports'
import { formatTronAddress } from '@dct/rules/addresses'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type BusinessDay, parseBusinessDay } from '../../platform/clock.ts'
import { Refusal } from '../../platform/errors.ts'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { listFrame, readDayRange } from '../../platform/http/lists.ts'
import { listClosedDays } from './daily-close.queries.ts'
import { closeDay, type DailyCloseDeps, readDay, readFile } from './daily-close.ts'

export type DailyCloseRoutesDeps = DailyCloseDeps & {
  /** Refuses a session without a recent confirming signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const PATH = '/admin/daily-closes'
const config = { role: 'admin' } as const

/** Daily statements that compare the chains with the books; a closed one is stored permanently. */
export const dailyCloseRoutes: FastifyPluginAsyncTypebox<DailyCloseRoutesDeps> = async (
  app,
  deps,
) => {
  const list = { querystring: DailyClosesQuery, response: { 200: DailyClosesReply } }
  app.get(PATH, { schema: list, config }, async ({ query }) => {
    const { page, limit, sort_order } = query
    const days = { page, limit, sort_order, ...readDayRange(query) }
    const { rows, total } = await listClosedDays(deps.db, days)
    return {
      closes: rows.map((row) => ({
        day: row.day,
        closed_at: row.closed_at.toISOString(),
        closed_by: formatTronAddress(row.address),
        differences: row.differences,
        sha256: row.sha256.toString('hex'),
      })),
      ...listFrame(query, total),
    }
  })

  const one = { params: DayParams, response: { 200: DailyCloseReply } }
  app.get(`${PATH}/:day`, { schema: one, config }, ({ params }) => readDay(deps, dayOf(params.day)))
  app.post(`${PATH}/:day`, { schema: one, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    return closeDay(deps, { day: dayOf(request.params.day), adminId: admin.id })
  })

  const file = {
    params: DayParams,
    // It is sent as the text that was hashed, not serialised again.
    response: { 200: Type.Unsafe<string>(DayStatement) },
  }
  app.get(`${PATH}/:day/file`, { schema: file, config }, async ({ params }, reply) => {
    const day = dayOf(params.day)
    const content = await readFile(deps.db, day)
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="daily-close-${day}.json"`)
      .send(content)
  })
}

function dayOf(text: string): BusinessDay {
  try {
    return parseBusinessDay(text)
  } catch {
    throw new Refusal('BAD_DATE', { field: 'day' })
  }
}
