import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import compress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/http/http.ts'
import { browserTronNode } from '../chains/browser-tron-node.ts'
import type { Config } from '../config.ts'

/**
 * What WalletConnect's client connects to: the message relay, and the frame that tells wallets which site is asking.
 */
const WALLETCONNECT = {
  relay: 'wss://relay.walletconnect.org',
  verify: 'https://verify.walletconnect.org',
}

/**
 * The sources that a page may load and connect to: this site, and the nodes that wallets and pages call from the
 * browser.
 */
function contentSecurityPolicy(config: Config): string {
  const nodes = [browserTronNode(config), ...config.browserNodes].map((url) => new URL(url).origin)
  const others = new Set(nodes.filter((origin) => origin !== config.origin))
  const hasWalletConnect = config.walletConnectProjectId !== undefined
  if (hasWalletConnect) others.add(WALLETCONNECT.relay)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...others].join(' '),
    ...(hasWalletConnect ? [`frame-src ${WALLETCONNECT.verify}`] : []),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

/** The headers of every response: pages, files, calls and errors. */
export function securityHeaders(config: Config): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(config),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(config.mode === 'live' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** Adds the security headers to every response; the page of the API's documents brings its own policy. */
export function addSecurityHeaders(app: App, headers: ReturnType<typeof securityHeaders>): void {
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of Object.entries(headers)) {
      const isOpen = name === 'cross-origin-resource-policy' && isDevelopmentNode(request.url)
      const isOwn = name === 'content-security-policy' && reply.hasHeader(name)
      if (!isOpen && !isOwn) void reply.header(name, value)
    }
  })
}

function isDevelopmentNode(url: string): boolean {
  return url.startsWith('/tron') || url.startsWith('/bsc')
}

const PATHS = 'pages/paths.json'

/** The manifest, which browsers read when somebody installs the app. */
function appManifest(brand: string): string {
  const icon = (name: string, size: number, purpose = 'any') => ({
    src: `/icons/${name}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return JSON.stringify({
    id: '/',
    name: brand,
    short_name: brand,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#0c1113',
    theme_color: '#0c1113',
    icons: [
      icon('icon-192', 192),
      icon('icon-512', 512),
      icon('icon-maskable-512', 512, 'maskable'),
    ],
  })
}

/**
 * Serves the built web app: its files, and for the path of every page its own HTML if it has some, else the index page.
 * Files that the build has compressed are sent as they are; all other responses are compressed on the fly.
 *
 * @param brand the name under which the app is installed
 */
export async function serveWebApp(app: App, folder: string, brand: string): Promise<void> {
  await app.register(compress, {
    globalCompression: true,
    encodings: ['br', 'gzip'],
    threshold: 1024,
  })
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['**/*.{html,br}', PATHS],
    preCompressed: true,
    maxAge: '1h',
    setHeaders(reply, path) {
      if (path.includes('/assets/'))
        void reply.header('cache-control', 'public, max-age=31536000, immutable')
      // The service worker determines which version of everything else is cached.
      if (path.endsWith('/service-worker.js')) void reply.header('cache-control', 'no-cache')
    },
  })
  const manifest = appManifest(brand)
  app.get('/app.webmanifest', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(manifest),
  )
  const pages = readPages(folder)
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  const answerPage = (request: FastifyRequest, reply: FastifyReply) => {
    const page = pages.get(request.routeOptions.url ?? '') ?? index
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  }
  for (const path of ['/', ...readPaths(folder)])
    app.get(path, { schema: { hide: true } }, answerPage)
}

/** The paths of all pages, as the router writes them. */
function readPaths(folder: string): string[] {
  return JSON.parse(readFileSync(join(folder, PATHS), 'utf8'))
}

/** The pages other than the index page, by path: `/login` is `pages/login.html`. */
function readPages(folder: string): Map<string, string> {
  const files = readdirSync(join(folder, 'pages')).filter((file) => file.endsWith('.html'))
  return new Map(
    files.map((file) => [
      `/${file.replace(/\.html$/, '')}`,
      readFileSync(join(folder, 'pages', file), 'utf8'),
    ]),
  )
}

/** True when the web app has been built. Without it, the server still answers API calls. */
export function isWebAppBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html')) && existsSync(join(folder, PATHS))
}

/** Devnet: proxies the development chains, so that everything is served from one address. Bodies are streamed. */
export async function proxyChains(app: App, devnet: NonNullable<Config['devnet']>): Promise<void> {
  // Imported only here, because a live api does not need it.
  const { default: proxy } = await import('@fastify/http-proxy')
  const proxies: FastifyPluginAsync = async (scope) => {
    // The proxy brings its own parsers.
    scope.removeAllContentTypeParsers()
    await scope.register(proxy, { upstream: devnet.tronProxy, prefix: '/tron', logLevel: 'error' })
    await scope.register(proxy, { upstream: devnet.bscProxy, prefix: '/bsc', logLevel: 'error' })
  }
  await app.register(proxies)
}
