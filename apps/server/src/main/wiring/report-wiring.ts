import { recordAdminAction } from '../../modules/admin/index.ts'
import { bytesOf } from '../../modules/chain/index.ts'
import { accountRoutes } from '../../modules/reports/account.routes.ts'
import { caseRoutes } from '../../modules/reports/case.routes.ts'
import { changesRoutes } from '../../modules/reports/changes.routes.ts'
import { dailyCloseRoutes } from '../../modules/reports/daily-close.routes.ts'
import { historyRoutes } from '../../modules/reports/history.routes.ts'
import type { LongPoll } from '../../modules/reports/index.ts'
import { maintenanceRoutes } from '../../modules/reports/maintenance.routes.ts'
import { owedListRoutes } from '../../modules/reports/owed-list.routes.ts'
import { publicRoutes } from '../../modules/reports/public.routes.ts'
import { reportsAdminRoutes } from '../../modules/reports/reports-admin.routes.ts'
import { realClock } from '../../platform/clock.ts'
import type { App } from '../../platform/http/http.ts'
import type { Context } from '../context.ts'

const prefix = '/api'
/** Public calls: the chains are read once for all callers within this time. */
const RESERVES_FOR_MS = 5_000

/** Registers the public figures, the admins' reports, and holders' histories and changes. */
export async function registerReports(
  app: App,
  context: Context,
  longPoll: LongPoll,
): Promise<void> {
  const { db, clock, chains, dctDecimals, config } = context
  const { tron, bsc } = chains
  const { requireStepUp, own, priceMaxAgeMs } = context
  const our = {
    staking: bytesOf(tron.staking),
    rewardPool: bytesOf(tron.rewardPool),
    usdt: bytesOf(bsc.usdt),
    vault: bytesOf(bsc.vault),
    feeReceivers: own.fee_receiver.map(bytesOf),
  }
  const control = { prefix, db, clock, realClock, dctDecimals, requireStepUp, recordAdminAction }
  await app.register(caseRoutes, control)
  await app.register(maintenanceRoutes, control)
  await app.register(dailyCloseRoutes, { ...control, our })
  await app.register(publicRoutes, {
    prefix,
    ...{ db, clock, realClock, tron, bsc, dctDecimals, priceMaxAgeMs },
    reservesForMs: RESERVES_FOR_MS,
    readsPerMinute: config.limits.read,
  })
  await app.register(owedListRoutes, { prefix, db, realClock, readsPerMinute: config.limits.read })
  await app.register(accountRoutes, { prefix, db })
  await app.register(historyRoutes, { prefix, db, clock, dctDecimals, brand: config.brand })
  await app.register(changesRoutes, { prefix, longPoll })
  await app.register(reportsAdminRoutes, {
    prefix,
    ...{ db, clock },
    secondApprovalRateBps: config.money.secondApprovalRateBps,
  })
}
