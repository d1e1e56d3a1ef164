import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createSessionCache, SESSION_ENDED } from '../modules/auth/index.ts'
import { type AnnouncementListener, listenForAnnouncements } from '../platform/announcements.ts'
import { createCallLimiter } from '../platform/call-limits.ts'
import { realClock } from '../platform/clock.ts'
import { sharedReads } from '../platform/db.ts'
import { type Answered, type App, createHttp, serveDocs } from '../platform/http.ts'
import type { LoopStatus } from '../platform/loop.ts'
import type { Context } from './context.ts'
import { healthRoute } from './health.ts'
import { registerRoutes } from './routes.ts'
import { serveSecurityTxt } from './security-txt.ts'
import { addSecurityHeaders, isWebAppBuilt, proxyChains, serveWebApp } from './site.ts'
import { StartError } from './start-error.ts'

const ROOT = new URL('../../../../', import.meta.url)
const WEB_FOLDER = fileURLToPath(new URL('apps/web/dist', ROOT))

/** What else a process that serves HTTP consists of. */
export type BesideApi = {
  loopStatus(): LoopStatus[]
  countCall(answered: Answered): void
  /** Called with every request that may change something, those to the chains of devnet included. */
  wakeLoops(): void
}

/** The HTTP side of a process: calls, pages, and in devnet the chains behind the same address. */
export async function createApi(
  context: Context,
  { loopStatus, countCall, wakeLoops }: BesideApi,
): Promise<App> {
  const { config, log } = context
  const db = sharedReads(context.db)
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    version: string
  }
  const { sessions, listener } = cacheSessions(context)
  const app = await createHttp({
    log,
    version,
    trustedProxies: config.trustedProxies,
    allowedOrigins: config.allowedOrigins,
    onAnswered(answered) {
      countCall(answered)
      if (config.isAccessLogged)
        log.info({ ...answered, user: answered.user?.toString() }, 'answered')
    },
    limiter: createCallLimiter({ realClock, limits: config.limits }),
    authenticate: (token, { method }) =>
      sessions.authenticate(token, { isRead: method === 'GET' || method === 'HEAD' }),
  })
  app.addHook('onClose', () => listener.stop())
  app.addHook('onResponse', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') wakeLoops()
  })
  addSecurityHeaders(app, config)
  await healthRoute(app, { context: { ...context, db }, version, loopStatus })
  await registerRoutes(app, context)
  serveSecurityTxt(app, config)
  await serveDocs(app)
  if (config.devnet !== undefined) await proxyChains(app, config.devnet)
  if (isWebAppBuilt(WEB_FOLDER)) await serveWebApp(app, WEB_FOLDER, config.brand)
  else log.warn({ folder: WEB_FOLDER }, 'webAppNotBuilt')
  return app
}

/** @throws StartError that names the port when another program has it, or this user may not use it */
export async function listen(app: App, { config, log }: Context): Promise<void> {
  const { host, port, origin } = config
  try {
    await app.listen({ host, port })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EADDRINUSE')
      throw new StartError(`Another program listens on port ${port} of ${host}: set PORT.`)
    if (code === 'EACCES')
      throw new StartError(`This user may not listen on port ${port} of ${host}: set PORT.`)
    throw cause
  }
  log.info({ origin }, 'listening')
}

/** Sessions as the database announces their ends to every process. */
function cacheSessions({ db, config }: Context) {
  const sessions = createSessionCache({
    db: sharedReads(db),
    realClock,
    isListening: () => listener.isLive(),
  })
  const listener: AnnouncementListener = listenForAnnouncements(
    { url: config.databaseUrl, channel: SESSION_ENDED },
    { onAnnounced: (userId) => sessions.forget(BigInt(userId)), onLost: sessions.forgetAll },
  )
  return { sessions, listener }
}
