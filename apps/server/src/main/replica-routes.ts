import { noteWrite, readPosition } from '../modules/auth/index.ts'
import { isRead } from '../platform/call-limits.ts'
import { sharedReads } from '../platform/db.ts'
import type { App, CallReads } from '../platform/http.ts'
import { START } from '../platform/replica/position.ts'
import type { Context } from './context.ts'

/**
 * The calls that may be answered from a replica: histories, lists for looking things up, statistics and files.
 * Everything that decisions or payments are based on is read from the primary: what is claimable, fees, quotas, and the
 * queues of payouts, referral claims and unmatched payments with their files. Handlers of the calls listed here read
 * through `readsOf`.
 */
export const REPLICA_ROUTES = {
  /** Of holders: short reads, which share connections. */
  short: [
    '/api/user/history',
    '/api/user/history/file',
    '/api/user/user-earning-history',
    '/api/user/reward-distribution-history',
    '/api/user/user-reward-history',
    '/api/user/claim-history',
    '/api/user/user-claim-history',
    '/api/user/referral-tree',
    '/api/user/referral-earnings',
    '/api/user/referral-reward-history',
    '/api/user/referral-claim-pool-history',
  ],
  /** Of admins: reads that may take long. */
  long: [
    '/api/admin/dashboard-stats',
    '/api/admin/users',
    '/api/admin/users/csv',
    '/api/admin/log',
    '/api/admin/log/csv',
    '/api/admin/user-earnings',
    '/api/admin/user-earnings/csv',
    '/api/admin/user-earning-history',
    '/api/admin/daily-user-earnings',
    '/api/admin/daily-user-earnings/csv',
    '/api/admin/transactions',
    '/api/admin/transactions/csv',
    '/api/admin/reward-distribution-history',
    '/api/admin/reward-distribution-history/csv',
    '/api/admin/user-reward-history',
    '/api/admin/claim-history',
    '/api/admin/claim-history/csv',
    '/api/admin/user-claim-history',
    '/api/admin/downline-turnover/:id',
    '/api/admin/referral-reward-history/:id',
    '/api/admin/referral-reward-history/:id/csv',
    '/api/admin/referral-claim-pool-history/:id',
    '/api/admin/referral-claim-pool-history/:id/csv',
    '/api/admin/user-referrals/:id/csv',
    '/api/admin/money-history',
    '/api/admin/terms/consents',
    '/api/admin/terms/consents/csv',
  ],
} as const

/** Decides for each call what it reads from. Without a replica, that is the primary. */
export function chooseReads({ db, replica, log }: Context): CallReads {
  const often = sharedReads(db)
  const short = new Set<string>(REPLICA_ROUTES.short)
  const long = new Set<string>(REPLICA_ROUTES.long)
  if (replica === undefined) {
    return {
      of({ method, routeOptions: { url = '' } }) {
        if (!isRead(method)) return undefined
        return short.has(url) ? often : long.has(url) ? db : undefined
      },
      noteWrite: async () => undefined,
    }
  }
  return {
    async of({ method, routeOptions: { url = '' }, sessionUser }) {
      const isShort = short.has(url)
      if (!isRead(method) || (!isShort && !long.has(url))) return undefined
      const seen = sessionUser === null ? START : await readPosition(often, sessionUser.sessionHash)
      return seen === undefined ? often : replica.readsFor({ isShort, seen })
    },
    async noteWrite({ id }) {
      try {
        await noteWrite(db, id)
      } catch (err) {
        // The write has happened, and its answer must not be lost.
        log.warn({ err, user: `${id}` }, 'writeNotNoted')
      }
    },
  }
}

/** @throws Error if a call listed above does not exist */
export function requireReplicaRoutes(app: App): void {
  for (const url of [...REPLICA_ROUTES.short, ...REPLICA_ROUTES.long]) {
    if (!app.hasRoute({ method: 'GET', url })) throw new Error(`there is no GET ${url}`)
  }
}
