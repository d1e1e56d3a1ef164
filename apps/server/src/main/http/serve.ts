import { fileURLToPath } from 'node:url'
import { createSessionCache, SESSION_ENDED } from '../../modules/auth/index.ts'
import { createLongPoll } from '../../modules/reports/index.ts'
import { realClock } from '../../platform/clock.ts'
import { sharedReads } from '../../platform/database/db.ts'
import { listenForSignals, type SignalListener } from '../../platform/database/signals.ts'
import { HOLDER_CHANGES } from '../../platform/database/wake-pages.ts'
import { answerBeforeClosing } from '../../platform/http/answer-before-closing.ts'
import type { Answered } from '../../platform/http/answered.ts'
import { createCallLimiter, isRead } from '../../platform/http/call-limits.ts'
import { type App, createHttp, serveDocs } from '../../platform/http/http.ts'
import type { LoopStatus } from '../../platform/loops/loop.ts'
import { VERSION } from '../../platform/version.ts'
import type { Context } from '../context.ts'
import { StartError } from '../start-error.ts'
import { healthRoute } from './health.ts'
import { reportsFrom, requireReplicaRoutes } from './replica-routes.ts'
import { registerRoutes } from './routes.ts'
import { serveSecurityTxt } from './security-txt.ts'
import {
  addSecurityHeaders,
  isWebAppBuilt,
  proxyChains,
  securityHeaders,
  serveWebApp,
} from './site.ts'
import { SUMMARIES } from './summaries.ts'

const ROOT = new URL('../../../../../', import.meta.url)
const WEB_FOLDER = fileURLToPath(new URL('apps/web/dist', ROOT))

/** What the API needs from the process that serves it. */
export type ApiDeps = {
  loopStatus(): LoopStatus[]
  countCall(answered: Answered): void
  /** Called after every request that may change something, including requests to the chains of devnet. */
  wakeLoops(): void
}

/** The HTTP side of a process: calls, pages, and in devnet the chains at the same address. */
export async function createApi(
  context: Context,
  { loopStatus, countCall, wakeLoops }: ApiDeps,
): Promise<App> {
  const { config, log } = context
  const db = sharedReads(context.db)
  const { sessions, longPoll, listener } = followSignals(context)
  const headers = securityHeaders(config)
  const app = await createHttp({
    headers,
    log,
    version: VERSION,
    isTimeTrusted: context.timeGuard.isTrusted,
    summaries: SUMMARIES,
    trustedProxies: config.trustedProxies,
    allowedOrigins: config.allowedOrigins,
    onAnswered(answered) {
      countCall(answered)
      if (config.isAccessLogged)
        log.info({ ...answered, user: answered.user?.toString() }, 'answered')
    },
    reportsOf: reportsFrom(context),
    limiter: createCallLimiter({ realClock, limits: config.limits }),
    authenticate: (token, { method, routeOptions }) =>
      sessions.authenticate(token, {
        isRead: isRead(method),
        isBackground: routeOptions.config.isBackground === true,
      }),
  })
  app.addHook('preClose', async () => longPoll.close())
  answerBeforeClosing(app)
  app.addHook('onClose', () => listener.stop())
  app.addHook('onResponse', async ({ method }) => {
    if (!isRead(method)) wakeLoops()
  })
  addSecurityHeaders(app, headers)
  await healthRoute(app, { context: { ...context, db }, version: VERSION, loopStatus })
  await registerRoutes(app, context, longPoll)
  requireReplicaRoutes(app)
  serveSecurityTxt(app, config)
  await serveDocs(app)
  if (config.devnet !== undefined) await proxyChains(app, config.devnet)
  if (isWebAppBuilt(WEB_FOLDER)) await serveWebApp(app, WEB_FOLDER, config.brand)
  else log.warn({ folder: WEB_FOLDER }, 'webAppNotBuilt')
  return app
}

/** @throws StartError that names the port if another program uses it or this user may not listen on it */
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

/** The session cache and the long poll, with a listener for what the database signals about both to every process. */
function followSignals(context: Context) {
  const db = sharedReads(context.db)
  const isListening = () => listener.isLive()
  const sessions = createSessionCache({ db, realClock, isListening })
  const longPoll = createLongPoll({ db, isListening })
  const listener: SignalListener = listenForSignals(
    { url: context.config.databaseUrl },
    {
      onSignal: {
        [SESSION_ENDED]: (userId) => sessions.forget(BigInt(userId)),
        [HOLDER_CHANGES]: longPoll.wake,
      },
      onLost() {
        sessions.forgetAll()
        longPoll.wakeAll()
      },
    },
  )
  return { sessions, longPoll, listener }
}
