import { isRead } from '../../platform/http/call-limits.ts'
import type { App, ReportsOf } from '../../platform/http/http.ts'
import type { Context } from '../context.ts'

/**
 * The calls that may be answered from a replica: admins' histories, lists for looking things up, statistics, and their
 * files. Everything else is read from the primary: all that holders see, and what decisions or payments are based on
 * (the queues of payouts, referral claims and unmatched payments). Handlers of these calls read through `readsOf`.
 */
export const REPLICA_ROUTES: readonly string[] = [
  '/api/admin/dashboard-stats',
  '/api/admin/users',
  '/api/admin/log',
  '/api/admin/user-earnings',
  '/api/admin/user-earning-history',
  '/api/admin/daily-user-earnings',
  '/api/admin/transactions',
  '/api/admin/reward-distribution-history',
  '/api/admin/user-reward-history',
  '/api/admin/claim-history',
  '/api/admin/user-claim-history',
  '/api/admin/downline-turnover/:id',
  '/api/admin/referral-reward-history/:id',
  '/api/admin/referral-claim-pool-history/:id',
  '/api/admin/money-history',
  '/api/admin/terms/consents',
]

/** Decides for each call what it reads from: the replica while there is a fresh one, and otherwise the primary. */
export function reportsFrom({ db, replica }: Pick<Context, 'db' | 'replica'>): ReportsOf {
  const listed = new Set(REPLICA_ROUTES)
  return ({ method, routeOptions: { url = '' } }) => {
    if (!isRead(method) || !listed.has(url)) return undefined
    return replica?.reports() ?? { db, ageMs: 0 }
  }
}

/** @throws Error if a call listed above does not exist */
export function requireReplicaRoutes(app: App): void {
  for (const url of REPLICA_ROUTES) {
    if (!app.hasRoute({ method: 'GET', url })) throw new Error(`there is no GET ${url}`)
  }
}
