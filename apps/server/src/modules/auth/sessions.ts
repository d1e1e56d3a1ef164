import { createHash, randomBytes } from 'node:crypto'
import type { RoleName } from '@dct/api-contract/auth'
import { type Clock, DAY_MS, msSince } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { shownNetworkOf } from '../../platform/http/client-network.ts'
import type { SessionUser } from '../../platform/http/http.ts'
import { findLiveSession, insertSession, renewSession } from './sessions.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The idle timeout and the maximum lifetime of a session. */
const LIVES: Record<RoleName, { idleMs: number; maxMs: number }> = {
  user: { idleMs: 7 * DAY_MS, maxMs: 30 * DAY_MS },
  admin: { idleMs: 30 * MINUTE_MS, maxMs: 12 * HOUR_MS },
}
/** The last use is written at most this often, so that not every call writes to the database. */
const NOTED_EVERY_MS = MINUTE_MS
const TOKEN_BYTES = 32

export type Client = { ip: string; userAgent: string }
export type OpenedSession = { token: string; expiresAt: Date }

/** Opens a session. The token is random, returned only to the caller, and stored only as a hash. */
export async function openSession(
  { realClock }: { realClock: Clock },
  tx: Tx,
  input: { userId: bigint; role: RoleName; client: Client },
): Promise<OpenedSession> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const createdAt = realClock.now()
  const endsAt = new Date(createdAt.getTime() + LIVES[input.role].maxMs)
  const expiresAt = expiryOf({ role: input.role, seenAt: createdAt, endsAt })
  await insertSession(tx, {
    tokenHash: hashOf(token),
    userId: input.userId,
    role: input.role,
    createdAt,
    expiresAt,
    endsAt,
    network: shownNetworkOf(input.client.ip),
    userAgent: input.client.userAgent.slice(0, 300),
  })
  return { token, expiresAt }
}

/**
 * The user of a token; undefined when it is unknown, expired or revoked, or the user's role changed. Extends the
 * session, unless the call does not count as use of it.
 */
export async function authenticate(
  { db, realClock }: { db: Db; realClock: Clock },
  token: string,
  { isUse = true }: { isUse?: boolean } = {},
): Promise<SessionUser | undefined> {
  const now = realClock.now()
  const sessionHash = hashOf(token)
  const session = await findLiveSession(db, { tokenHash: sessionHash, now })
  if (session === undefined) return undefined
  const { userId, address, role, lastSeenAt, endsAt } = session
  if (isUse && msSince(lastSeenAt, now) >= NOTED_EVERY_MS) {
    const expiresAt = expiryOf({ role, seenAt: now, endsAt })
    await renewSession(db, { tokenHash: sessionHash, lastSeenAt: now, expiresAt })
  }
  return { id: userId, address, role, sessionHash }
}

function expiryOf(session: { role: RoleName; seenAt: Date; endsAt: Date }): Date {
  const idleEnd = session.seenAt.getTime() + LIVES[session.role].idleMs
  return new Date(Math.min(idleEnd, session.endsAt.getTime()))
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
