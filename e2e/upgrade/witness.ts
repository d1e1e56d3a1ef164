import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../chaos/until.ts'
import type { LiveWorld } from '../live/live-world.ts'
import { OutsideHolder } from '../outside/outside-client.ts'

/** Below the limit of reading calls for one user. */
const READ_EVERY_MS = 300
const BY_ALL = ['/api/health', '/api/ready']
const BY_HOLDERS = [
  '/api/auth/me',
  '/api/user/earnings',
  '/api/user/pending-claim-fees',
  '/api/user/user-reward-history',
  '/api/user/referral-claim-pool-history',
  '/api/user/history',
]
const BY_ADMIN = [
  '/api/admin/users',
  '/api/admin/payouts',
  '/api/admin/claim-history',
  '/api/admin/dashboard-stats',
  '/api/admin/health',
]

/** Who uses an installation and notes what nobody may meet. */
export type Witness = {
  User: typeof OutsideHolder
  /** Calls without an answer, and answers that are errors of the service, in order. */
  failures: readonly string[]
  /** The versions that answered since this was asked last, once at least so many did. */
  versions(least: number): Promise<string[]>
}

export function createWitness(): Witness {
  const failures: string[] = []
  const versions = new Set<string>()
  class Observer extends OutsideHolder {
    override async tryCall(method: string, path: string, body?: unknown) {
      try {
        const reply = await super.tryCall(method, path, body)
        if (reply.status >= 500)
          failures.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
        if (path === '/api/health' && reply.status === 200)
          versions.add((reply.body as { version: string }).version)
        return reply
      } catch (error) {
        failures.push(`${method} ${path}: ${error}, ${(error as Error).cause}`)
        throw error
      }
    }
  }
  return {
    User: Observer,
    failures,
    async versions(least) {
      await until(`${least} versions answer`, async () => versions.size >= least)
      const seen = [...versions].toSorted()
      versions.clear()
      return seen
    },
  }
}

/** Has every user read page after page until it is stopped. @returns how often each at least had read all of theirs by then */
export function startReading({ admin, holders }: LiveWorld): { stop(): Promise<number> } {
  const controller = new AbortController()
  const readAll = async (user: OutsideHolder, paths: readonly string[]) => {
    let pages = 0
    while (!controller.signal.aborted) {
      const path = paths[pages % paths.length] ?? ''
      // The user has noted a failure.
      const isRead = await user.tryCall('GET', path).then(
        ({ status }) => status === 200,
        () => false,
      )
      if (isRead) pages += 1
      await pause(READ_EVERY_MS)
    }
    return Math.floor(pages / paths.length)
  }
  const readers = [
    readAll(admin, [...BY_ALL, ...BY_ADMIN]),
    ...holders.map(({ client }) => readAll(client, [...BY_ALL, ...BY_HOLDERS])),
  ]
  return {
    async stop() {
      controller.abort()
      return Math.min(...(await Promise.all(readers)))
    },
  }
}
