import { HISTORY_FORMATS, HistoryQuery, HistoryReply } from '@dct/api-contract/history'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { readDayRange } from '../../platform/http/lists.ts'
import { describeItem, formatPlace, readPlace } from './history/describe-history.ts'
import { type HistoryFilter, type HistoryPlace, historyQuery } from './history/history.queries.ts'
import { HISTORY_FILES } from './history/history-files.ts'

const ROWS_AT_ONCE = 500

export type HistoryRoutesDeps = { db: Db; clock: Clock; dctDecimals: number; brand: string }

/** Everything that happened to the requesting holder, as a list and as files. */
export const historyRoutes: FastifyPluginAsyncTypebox<HistoryRoutesDeps> = async (app, deps) => {
  const { db, clock, dctDecimals } = deps
  const config = { role: 'user' } as const

  const schema = listOrFile(HistoryQuery, HistoryReply, HISTORY_FORMATS)
  app.get('/user/history', { schema, config }, async (request, reply) => {
    const { limit, after, rewards, sort_order, format } = request.query
    const filter = readFilter(userOf(request), request.query)
    if (format !== undefined) {
      const { row, isOfPayments, describe } = HISTORY_FILES[format]
      const batches = describeAll(
        readAll(db, isOfPayments ? { ...filter, kind: 'payments' } : filter),
        (one) => describe(describeItem(one, dctDecimals), deps.brand),
      )
      const name = format === 'csv' ? 'history' : `history-${format}`
      const day = businessDayOf(clock.now())
      return sendCsv(reply, { name, day, row, batches, isForProgram: isOfPayments })
    }
    const { rows } = await historyQuery(
      { ...filter, rewards, direction: sort_order },
      { after: after === undefined ? undefined : readPlace(after), limit: limit + 1 },
    ).execute(db)
    const items = rows.slice(0, limit)
    const last = rows.length > limit ? items.at(-1) : undefined
    return {
      items: items.map((row) => describeItem(row, dctDecimals)),
      next: last === undefined ? null : formatPlace(last),
    }
  })
}

function readFilter(user: SessionUser, query: HistoryQuery): HistoryFilter {
  return {
    userId: user.id,
    address: user.address,
    kind: query.kind,
    planCode: query.earning_plan_code,
    range: readDayRange(query),
    rewards: 'daily',
    direction: 'asc',
  }
}

/**
 * Reads the whole history from its beginning, page by page. No connection is held between two pages, however slowly the
 * file is downloaded; events that happen meanwhile are appended.
 */
async function* readAll(db: Db, filter: HistoryFilter) {
  let after: HistoryPlace | undefined
  do {
    const { rows } = await historyQuery(filter, { after, limit: ROWS_AT_ONCE }).execute(db)
    if (rows.length > 0) yield rows
    after = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
  } while (after !== undefined)
}

async function* describeAll<R, T>(batches: AsyncIterable<readonly R[]>, describe: (row: R) => T) {
  for await (const batch of batches) yield batch.map(describe)
}
