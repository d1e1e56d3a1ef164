import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../chaos/until.ts'
import type { LiveWorld } from '../live/live-world.ts'
import { OutsideHolder } from '../outside/outside-client.ts'

/** Slow enough to stay below a user's limit of read requests. */
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

/** Users of an installation who record every failure, because users must not encounter any. */
export type Witness = {
  User: typeof OutsideHolder
  /** Requests without a response, and responses with an error of the service (5xx), in order. */
  failures: readonly string[]
  /** Waits until at least `least` versions have answered since the last call. @returns those versions, sorted */
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

/**
 * Has every user read one list after another until it is stopped. `stop` returns how many times even the slowest user
 * has read all of their lists.
 */
export function startReading({ admin, holders }: LiveWorld): { stop(): Promise<number> } {
  const controller = new AbortController()
  const readAll = async (user: OutsideHolder, paths: readonly string[]) => {
    let reads = 0
    while (!controller.signal.aborted) {
      const path = paths[reads % paths.length] ?? ''
      // The user's `tryCall` has already recorded the failure.
      const isRead = await user.tryCall('GET', path).then(
        ({ status }) => status === 200,
        () => false,
      )
      if (isRead) reads += 1
      await pause(READ_EVERY_MS)
    }
    return Math.floor(reads / paths.length)
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
