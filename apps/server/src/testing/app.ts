import { authenticate } from '../modules/auth/sessions.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/database/db.ts'
import { createCallLimiter } from '../platform/http/call-limits.ts'
import { type App, createHttp } from '../platform/http/http.ts'
import { createLogger } from '../platform/logger.ts'

const NO_LIMITS = { read: 1e9, write: 1e9, node: 1e9, networkFactor: 1 }

/** The HTTP server with its real rules and sign-in, for `app.inject`. The caller registers routes below /api. */
export async function createTestApp(deps: { db: Db; realClock: Clock }): Promise<App> {
  return createHttp({
    log: createLogger('silent'),
    onAnswered: () => undefined,
    authenticate: (token) => authenticate(deps, token),
    reportsOf: () => ({ db: deps.db, ageMs: 0 }),
    limiter: createCallLimiter({ realClock: deps.realClock, limits: NO_LIMITS }),
    version: 'test',
    isTimeTrusted: () => true,
    headers: {},
    summaries: {},
    trustedProxies: 0,
    allowedOrigins: [],
  })
}
