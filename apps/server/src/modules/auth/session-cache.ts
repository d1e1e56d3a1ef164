import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { SessionUser } from '../../platform/http/http.ts'
import { authenticate } from './sessions.ts'

/** How long a session that was read is reused for further calls. */
const CACHED_MS = 1_000
/** The same for background calls, which only learn that something has changed. */
const CACHED_IN_BACKGROUND_MS = 10 * 60_000
/** Each takes about half a kilobyte. */
const MAX_CACHED = 20_000

/** The channel on which the database signals that a session has ended. The payload is the id of its user. */
export const SESSION_ENDED = 'auth_session_ended'

export type SessionCache = {
  /**
   * The user of a token, like `authenticate`. For reads by a holder, a session that was read within the last second is
   * reused, or within ten minutes for background calls. Writes and all calls of an admin read it again.
   */
  authenticate(
    token: string,
    call: { isRead: boolean; isBackground?: boolean },
  ): Promise<SessionUser | undefined>
  /** Call it when any session of a user has ended, in whichever process. */
  forget(userId: bigint): void
  forgetAll(): void
}

type CachedSession = {
  user: Promise<SessionUser | undefined>
  userId: bigint | undefined
  readAt: number
}

/** Caches sessions in memory while `isListening` guarantees that the end of every session will be signalled. */
export function createSessionCache(deps: {
  db: Db
  realClock: Clock
  isListening: () => boolean
}): SessionCache {
  const cached = new Map<string, CachedSession>()
  /** Users who wrote within the last second: it may have been a logout, whose signal arrives a moment later. */
  const writers = new Map<bigint, number>()
  const now = () => deps.realClock.now().getTime()

  /** A read that is still running could be of any user, so it is dropped too. */
  const forget = (userId: bigint) => {
    for (const [token, one] of cached) {
      if (one.userId === undefined || one.userId === userId) cached.delete(token)
    }
  }
  const recordWriter = (userId: bigint) => {
    if (writers.size >= MAX_CACHED) dropWhere(writers, (until) => until <= now())
    writers.set(userId, now() + CACHED_MS)
    forget(userId)
  }
  const mayCache = ({ id, role }: SessionUser) => role === 'user' && (writers.get(id) ?? 0) <= now()
  const readAndCache = (token: string, use: { isUse: boolean }) => {
    if (cached.size >= MAX_CACHED) cached.clear()
    const entry: CachedSession = {
      user: authenticate(deps, token, use),
      userId: undefined,
      readAt: now(),
    }
    cached.set(token, entry)
    const drop = () => {
      if (cached.get(token) === entry) cached.delete(token)
    }
    entry.user.then((user) => {
      if (user === undefined || !mayCache(user)) drop()
      else entry.userId = user.id
    }, drop)
    return entry.user
  }
  return {
    async authenticate(token, { isRead, isBackground = false }) {
      const use = { isUse: !isBackground }
      if (isRead && deps.isListening()) {
        const entry = cached.get(token)
        const cachedMs = isBackground ? CACHED_IN_BACKGROUND_MS : CACHED_MS
        const ageMs = now() - (entry?.readAt ?? 0)
        // The clock may have been ahead when it was read.
        const isFresh = entry !== undefined && ageMs >= 0 && ageMs < cachedMs
        return isFresh ? entry.user : readAndCache(token, use)
      }
      const user = await authenticate(deps, token, use)
      if (user !== undefined && !isRead) recordWriter(user.id)
      return user
    },
    forget,
    forgetAll: () => cached.clear(),
  }
}

function dropWhere<K, V>(map: Map<K, V>, isOver: (value: V) => boolean): void {
  for (const [key, value] of map) if (isOver(value)) map.delete(key)
}
