import { recordAdminAction } from '../modules/admin/index.ts'
import { bytesOf } from '../modules/chain/index.ts'
import { caseRoutes } from '../modules/statements/case.routes.ts'
import { dailyCloseRoutes } from '../modules/statements/daily-close.routes.ts'
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
  const { requireStepUp, feeReceivers } = context
  const our = {
    staking: bytesOf(tron.staking),
    rewardPool: bytesOf(tron.rewardPool),
    usdt: bytesOf(bsc.usdt),
    payoutWallet: bytesOf(bsc.payoutWallet),
    feeReceivers: feeReceivers.map(bytesOf),
  }
  const control = { prefix, db, clock, realClock, dctDecimals, requireStepUp, recordAdminAction }
  await app.register(caseRoutes, control)
  await app.register(dailyCloseRoutes, { ...control, our })
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
