import { LIST_ORDERS, PAGE_SIZE } from '@dct/api-contract/lists'
import type { FastifyRequest } from 'fastify'
import { noteWrite, readPosition } from '../../modules/auth/index.ts'
import { sharedReads } from '../../platform/database/db.ts'
import { isRead } from '../../platform/http/call-limits.ts'
import type { App, CallReads } from '../../platform/http/http.ts'
import { START } from '../../platform/replica/position.ts'
import type { Context } from '../context.ts'

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

/**
 * The lists of admins whose first pages are short reads while nothing is searched or filtered, each with its default
 * order. Any other page may take long.
 */
const FIRST_PAGES: Readonly<Record<string, { sortBy: string; sortOrder: string }>> = {
  '/api/admin/users': LIST_ORDERS.users,
  '/api/admin/log': LIST_ORDERS.adminLog,
  '/api/admin/transactions': LIST_ORDERS.transactions,
  '/api/admin/reward-distribution-history': LIST_ORDERS.rewards,
  '/api/admin/claim-history': LIST_ORDERS.claims,
}
const MOST_SKIPPED = 100

/** Whether a request, whose query is not validated yet, asks for one of the first pages in the default order. */
function isFirstPage(url: string, query: unknown): boolean {
  const order = FIRST_PAGES[url]
  if (order === undefined) return false
  const { page = 1, limit = PAGE_SIZE, sort_by, sort_order, ...others } = Object(query)
  const isInOrder =
    [order.sortBy, undefined].includes(sort_by) && [order.sortOrder, undefined].includes(sort_order)
  const isNear = Number(page) * Number(limit) <= MOST_SKIPPED
  return isInOrder && isNear && Object.keys(others).length === 0
}

const SHORT = new Set<string>(REPLICA_ROUTES.short)
const LONG = new Set<string>(REPLICA_ROUTES.long)

function mayReadReplica({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return isRead(method) && (SHORT.has(url) || LONG.has(url))
}

function isShort({ routeOptions: { url = '' }, query }: FastifyRequest): boolean {
  return SHORT.has(url) || isFirstPage(url, query)
}

/** Decides for each call what it reads from. Without a replica, that is the primary. */
export function chooseReads({
  db,
  replica,
  log,
}: Pick<Context, 'db' | 'replica' | 'log'>): CallReads {
  const often = sharedReads(db)
  if (replica === undefined) {
    return {
      of(request) {
        if (!mayReadReplica(request)) return undefined
        return isShort(request) ? often : db
      },
      noteWrite: async () => undefined,
    }
  }
  return {
    async of(request) {
      if (!mayReadReplica(request)) return undefined
      const { sessionUser } = request
      const seen = sessionUser === null ? START : await readPosition(often, sessionUser.sessionHash)
      return seen === undefined ? often : replica.readsFor({ isShort: isShort(request), seen })
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
