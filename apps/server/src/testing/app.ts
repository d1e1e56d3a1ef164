import { authenticate } from '../modules/auth/sessions.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import { type App, createHttp } from '../platform/http.ts'
import { createLogger } from '../platform/logger.ts'

/** The HTTP server with its real rules and sign-in, for `app.inject`. The caller adds routes below /api. */
export async function createTestApp(deps: { db: Db; realClock: Clock }): Promise<App> {
  return createHttp({
    log: createLogger('silent'),
    authenticate: (token) => authenticate(deps, token),
    version: 'test',
    trustedProxies: 0,
  })
}
