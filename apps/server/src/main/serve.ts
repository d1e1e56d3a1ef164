import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { authenticate } from '../modules/auth/index.ts'
import { realClock } from '../platform/clock.ts'
import { type App, createHttp, serveDocs } from '../platform/http.ts'
import type { LoopStatus } from '../platform/loop.ts'
import type { Context } from './context.ts'
import { healthRoute } from './health.ts'
import { registerRoutes } from './routes.ts'
import { addSecurityHeaders, isWebAppBuilt, proxyChains, serveWebApp } from './site.ts'

const ROOT = new URL('../../../../', import.meta.url)
const WEB_FOLDER = fileURLToPath(new URL('apps/web/dist', ROOT))

/** The HTTP side of a process: calls, pages, and in devnet the chains behind the same address. */
export async function createApi(context: Context, loopStatus: () => LoopStatus[]): Promise<App> {
  const { config, log, db } = context
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    version: string
  }
  const app = await createHttp({
    log,
    version,
    trustedProxies: config.trustedProxies,
    authenticate: (token) => authenticate({ db, realClock }, token),
  })
  addSecurityHeaders(app, config)
  await healthRoute(app, { context, version, loopStatus })
  await registerRoutes(app, context)
  await serveDocs(app)
  if (config.devnet !== undefined) await proxyChains(app, config.devnet)
  if (isWebAppBuilt(WEB_FOLDER)) await serveWebApp(app, WEB_FOLDER)
  else log.warn({ folder: WEB_FOLDER }, 'webAppNotBuilt')
  return app
}
