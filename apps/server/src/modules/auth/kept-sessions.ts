import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { SessionUser } from '../../platform/http.ts'
import { authenticate } from './sessions.ts'

/** How long a session that was read answers further calls. */
const KEPT_MS = 1_000
/** Each takes about half a kilobyte. */
const MOST_KEPT = 20_000

/** The channel on which the database announces that a session has ended: the id of its user. */
export const SESSION_ENDED = 'auth_session_ended'

export type KeptSessions = {
  /**
   * The user of a token, like `authenticate`. Reads of a holder are answered from a session that was read within the
   * last second; what writes, and whatever an admin does, reads it anew.
   */
  authenticate(token: string, call: { isRead: boolean }): Promise<SessionUser | undefined>
  /** Call it when any session of a user has ended, in whichever process. */
  forget(userId: bigint): void
  forgetAll(): void
}

type Kept = { user: Promise<SessionUser | undefined>; userId: bigint | undefined; until: number }

/** Keeps sessions in memory while `isHearing` guarantees that the end of every session will be announced. */
export function createKeptSessions(deps: {
  db: Db
  realClock: Clock
  isHearing: () => boolean
}): KeptSessions {
  const kept = new Map<string, Kept>()
  /** Users who wrote within the last second: it may have been a logout, whose announcement arrives a moment later. */
  const writers = new Map<bigint, number>()
  const now = () => deps.realClock.now().getTime()

  /** A read that is still running could be of any user, so it is dropped too. */
  const forget = (userId: bigint) => {
    for (const [token, one] of kept) {
      if (one.userId === undefined || one.userId === userId) kept.delete(token)
    }
  }
  const recordWriter = (userId: bigint) => {
    if (writers.size >= MOST_KEPT) dropWhere(writers, (until) => until <= now())
    writers.set(userId, now() + KEPT_MS)
    forget(userId)
  }
  const isKept = ({ id, role }: SessionUser) => role === 'user' && (writers.get(id) ?? 0) <= now()
  const readAndKeep = (token: string) => {
    if (kept.size >= MOST_KEPT) kept.clear()
    const entry: Kept = {
      user: authenticate(deps, token),
      userId: undefined,
      until: now() + KEPT_MS,
    }
    kept.set(token, entry)
    const drop = () => {
      if (kept.get(token) === entry) kept.delete(token)
    }
    entry.user.then((user) => {
      if (user === undefined || !isKept(user)) drop()
      else entry.userId = user.id
    }, drop)
    return entry.user
  }
  return {
    async authenticate(token, { isRead }) {
      if (isRead && deps.isHearing()) {
        const entry = kept.get(token)
        return entry !== undefined && now() < entry.until ? entry.user : readAndKeep(token)
      }
      const user = await authenticate(deps, token)
      if (user !== undefined && !isRead) recordWriter(user.id)
      return user
    },
    forget,
    forgetAll: () => kept.clear(),
  }
}

function dropWhere<K, V>(map: Map<K, V>, isOver: (value: V) => boolean): void {
  for (const [key, value] of map) if (isOver(value)) map.delete(key)
}
