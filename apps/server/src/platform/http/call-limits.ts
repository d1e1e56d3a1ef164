import type { Clock } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { limiterKeyOf } from './client-network.ts'

/** The kind of a call: it reads, writes, or needs a call to a chain node. */
export type CallKind = 'read' | 'write' | 'node'

/** The part of a route's config that determines the kind of its calls. */
export type CallConfig = {
  /** Answering needs a call to a chain node, so it counts towards a narrower limit. */
  asksNode?: boolean
}

/** The kind of a call by its HTTP method and its route's config. */
export function callKindOf(method: string, { asksNode = false }: CallConfig): CallKind {
  if (asksNode) return 'node'
  return isRead(method) ? 'read' : 'write'
}

/** Whether a call with this HTTP method changes nothing. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Calls per minute and user, and the factor by which all users of one network together may exceed that. */
export type CallLimits = Record<CallKind, number> & { networkFactor: number }

export type CallLimiter = {
  /** Counts a call from a network, by any user. @throws Refusal `TOO_MANY_REQUESTS` */
  ofNetwork(kind: CallKind, ip: string): void
  /** Counts a call of a user. @throws Refusal `TOO_MANY_REQUESTS` */
  ofUser(kind: CallKind, userId: bigint): void
}

const WINDOW_MS = 60_000
/** The most callers counted separately within a minute; any more share one count, so that a flood cannot fill the memory. */
const MOST_CALLERS = 200_000

/** Limits the calls that this process answers, by the minute. Refused calls count, too. */
export function createCallLimiter({
  realClock,
  limits,
}: {
  realClock: Clock
  limits: CallLimits
}): CallLimiter {
  const counts = new Map<string, number>()
  let window = 0
  const count = (key: string, perMinute: number) => {
    const now = realClock.now().getTime()
    const present = Math.floor(now / WINDOW_MS)
    if (present !== window) {
      counts.clear()
      window = present
    }
    const counted = counts.has(key) || counts.size < MOST_CALLERS ? key : 'others'
    const used = (counts.get(counted) ?? 0) + 1
    counts.set(counted, used)
    if (used <= perMinute) return
    const waitMs = (present + 1) * WINDOW_MS - now
    throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
  }
  return {
    ofNetwork: (kind, ip) =>
      count(`${kind}|${limiterKeyOf(ip)}`, limits[kind] * limits.networkFactor),
    ofUser: (kind, userId) => count(`${kind}|${userId}`, limits[kind]),
  }
}
