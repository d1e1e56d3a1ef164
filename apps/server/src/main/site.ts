import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import compress from '@fastify/compress'
import proxy from '@fastify/http-proxy'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { App } from '../platform/http.ts'
import type { Config } from './config.ts'

/**
 * The sources that a page may load and connect to: this site, and the nodes that wallets and pages call from the
 * browser.
 */
function contentSecurityPolicy(config: Config): string {
  const nodes = config.browserNodes.map((url) => ` ${new URL(url).origin}`).join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${nodes}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

/** Headers for every response: pages, files and calls. */
export function addSecurityHeaders(app: App, config: Config): void {
  const policy = contentSecurityPolicy(config)
  app.addHook('onSend', async (request, reply) => {
    if (reply.getHeader('content-security-policy') === undefined) {
      void reply.header('content-security-policy', policy)
    }
    void reply.header('x-content-type-options', 'nosniff')
    void reply.header('referrer-policy', 'strict-origin-when-cross-origin')
    void reply.header('cross-origin-opener-policy', 'same-origin')
    if (!isDevelopmentNode(request.url))
      void reply.header('cross-origin-resource-policy', 'same-origin')
    if (config.mode === 'live')
      void reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
  })
}

function isDevelopmentNode(url: string): boolean {
  return url.startsWith('/tron') || url.startsWith('/bsc')
}

/** Serves the built web app; every path that is not a file serves its index page. */
export async function serveWebApp(app: App, folder: string): Promise<void> {
  await app.register(compress, {
    globalCompression: true,
    encodings: ['br', 'gzip'],
    threshold: 1024,
  })
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    maxAge: '1h',
    setHeaders(reply, path) {
      if (path.includes('/assets/'))
        void reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const answerPage = (_request: unknown, reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  app.get('/', { schema: { hide: true } }, answerPage)
  app.get('/*', { schema: { hide: true } }, (request, reply) =>
    /^\/(api|devnet|assets)([/?]|$)/.test(request.url)
      ? reply.callNotFound()
      : answerPage(request, reply),
  )
}

/** True when the web app has been built. Without it, the server still answers API calls. */
export function isWebAppBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
}

/** Devnet: proxies the development chains, so that everything is served from one address. Bodies are streamed. */
export async function proxyChains(app: App, devnet: NonNullable<Config['devnet']>): Promise<void> {
  await app.register(proxy, { upstream: devnet.tronProxy, prefix: '/tron', logLevel: 'error' })
  await app.register(proxy, { upstream: devnet.bscProxy, prefix: '/bsc', logLevel: 'error' })
}
