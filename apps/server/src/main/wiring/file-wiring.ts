import { adminCsvRoutes } from '../../modules/admin/admin-csv.routes.ts'
import { claimsCsvRoutes } from '../../modules/claims/claims-csv.routes.ts'
import { codesOfClaims } from '../../modules/claims/index.ts'
import { earningsCsvRoutes } from '../../modules/earnings/earnings-csv.routes.ts'
import { payoutsCsvRoutes } from '../../modules/payouts/payouts-csv.routes.ts'
import { plansCsvRoutes } from '../../modules/plans/plans-csv.routes.ts'
import { referralTotals } from '../../modules/referrals/index.ts'
import { referralsCsvRoutes } from '../../modules/referrals/referrals-csv.routes.ts'
import type { App } from '../../platform/http/http.ts'
import type { Context } from '../context.ts'

/** Registers a CSV file for every list, at the path of the list followed by `/csv`. */
export async function registerFiles(app: App, context: Context): Promise<void> {
  const { db, clock, dctDecimals } = context
  const shared = { prefix: '/api', db, clock, dctDecimals }
  await app.register(plansCsvRoutes, shared)
  await app.register(payoutsCsvRoutes, { ...shared, codesOfClaims })
  await app.register(referralsCsvRoutes, shared)
  await app.register(earningsCsvRoutes, shared)
  await app.register(claimsCsvRoutes, shared)
  await app.register(adminCsvRoutes, { ...shared, readReferralTotals: referralTotals })
}
