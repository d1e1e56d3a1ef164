import { publicRoutes } from '../modules/statements/public.routes.ts'
import { statementsAdminRoutes } from '../modules/statements/statements-admin.routes.ts'
import { realClock } from '../platform/clock.ts'
import type { App } from '../platform/http.ts'
import type { Context } from './context.ts'

const prefix = '/api'
/** Everybody may ask; the chains are asked once for all who come within this time. */
const RESERVES_FOR_MS = 5_000

/** What is told of the whole: to everybody, and to admins. */
export async function registerStatements(app: App, context: Context): Promise<void> {
  const { db, clock, chains, dctDecimals, config } = context
  const { tron, bsc } = chains
  await app.register(publicRoutes, {
    prefix,
    ...{ db, clock, realClock, tron, bsc, dctDecimals },
    reservesForMs: RESERVES_FOR_MS,
    readsPerMinute: config.limits.read,
  })
  await app.register(statementsAdminRoutes, {
    prefix,
    ...{ db, clock },
    secondApprovalRateBps: config.money.secondApprovalRateBps,
  })
}
