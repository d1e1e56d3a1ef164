import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import type { App } from '../../platform/http/http.ts'
import { answerError } from '../../platform/http/http-errors.ts'
import type { Config } from '../config.ts'
import { addSecurityHeaders, proxyChains, securityHeaders, serveWebApp } from './site.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

/** A development chain whose responses never end. */
async function stalledChain(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test.each([
  ['while it is sent', 'content-length: 100\r\n\r\n{"half":'],
  ['before its answer ended', 'content-length: 2\r\n\r\n{}'],
])('a request to a chain that is aborted %s prints nothing', async (_when, rest) => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(`${chunk}`)
      done()
    },
  })
  const app = Fastify({ logger: { level: 'warn', stream }, forceCloseConnections: true })
  app.setErrorHandler(answerError)
  const { url, server } = await stalledChain()
  await proxyChains(app as unknown as App, { tronProxy: url, bscProxy: url } as never)
  await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(() => app.close())

  const { port } = app.server.address() as AddressInfo
  const caller = connect(port, '127.0.0.1')
  const reached = once(server, 'connection')
  caller.write(
    `POST /tron/wallet/x HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}`,
  )
  const [upstream] = await reached
  upstream.on('error', () => undefined) // the connection is cut in the middle
  const ended = new Promise((resolve) => upstream.once('close', resolve))
  caller.destroy()
  await ended
  // By the time the next request is answered, anything caused by the abort has been logged.
  await app.inject({ url: '/nowhere' })
  expect(lines).toEqual([])
})

/** The rules of the content security policy under these settings, by name. */
async function policyWith(
  walletConnectProjectId: string | undefined,
): Promise<Map<string, string>> {
  const app = Fastify() as unknown as App
  const browserNodes = ['https://node.example/jsonrpc']
  const tron = { network: 'private', nodes: [{ http: 'https://tron.example:8090/' }] }
  const settings = { mode: 'live', origin: 'https://dct.example', tron, browserNodes }
  const config = { ...settings, walletConnectProjectId } as unknown as Config
  addSecurityHeaders(app, securityHeaders(config))
  const { headers } = await app.inject('/nowhere')
  const rules = `${headers['content-security-policy']}`.split('; ')
  return new Map(
    rules.map((rule) => [rule.split(' ')[0] ?? '', rule.split(' ').slice(1).join(' ')]),
  )
}

test('browsers remember for a year that a live site is encrypted, and nothing about its other names', () => {
  const settings = { origin: 'https://dct.example', browserNodes: [], tron: { network: 'nile' } }
  const headersIn = (mode: 'live' | 'devnet') =>
    securityHeaders({ ...settings, mode } as unknown as Config)['strict-transport-security']
  expect([headersIn('live'), headersIn('devnet')]).toEqual(['max-age=31536000', undefined])
})

test('pages may reach WalletConnect’s relay and its frame only if the operator has a project there', async () => {
  const without = await policyWith(undefined)
  expect(without.get('connect-src')).toBe("'self' https://tron.example:8090 https://node.example")
  expect(without.has('frame-src')).toBe(false)
  const having = await policyWith('ab'.repeat(16))
  expect(having.get('connect-src')).toBe(
    "'self' https://tron.example:8090 https://node.example wss://relay.walletconnect.org",
  )
  expect(having.get('frame-src')).toBe('https://verify.walletconnect.org')
  const others = [...having].filter(([name]) => !/^(connect|frame)-src$/.test(name))
  expect(others).toEqual([...without].filter(([name]) => name !== 'connect-src'))
})

const SCRIPT = 'export const answer = 42 // '.repeat(100)

/** A server of a small build: an index page, a login page, and one compressed script. */
async function givenSite(): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'dct-site-'))
  mkdirSync(join(folder, 'pages'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), 'any page')
  writeFileSync(join(folder, 'pages/login.html'), 'the login')
  writeFileSync(join(folder, 'pages/paths.json'), '["/login","/referrals","/support/case/:token"]')
  writeFileSync(join(folder, 'assets/a.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/a.js.br'), brotliCompressSync(SCRIPT))
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } }) as unknown as App
  await serveWebApp(app, folder, 'DCT Earning')
  closing.push(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  return app
}

test.each([
  ['/login', 'the login'],
  ['/login?lang=id', 'the login'],
  ['/', 'any page'],
  ['/login/', 'the login'],
  ['/referrals', 'any page'],
  ['/support/case/abc', 'any page'],
])('%s returns %s, which no cache stores', async (url, page) => {
  const { body, headers } = await (await givenSite()).inject({ url })
  expect(body).toBe(page)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  })
})

test.each([
  ...['/.env', '/referrals/unknown', '/pages/login.html', '/pages/paths.json', '/index.html'],
  ...['//api/config', '/API/config', '/api%2fconfig', '//login'],
])('%s is no page', async (url) => {
  expect((await (await givenSite()).inject({ url })).statusCode).toBe(404)
})

test('a script is sent as the build compressed it, to browsers that accept that', async () => {
  const app = await givenSite()
  const url = '/assets/a.js'
  const compressed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringContaining('accept-encoding'),
  })
  expect(compressed.rawPayload).toEqual(brotliCompressSync(SCRIPT))
  expect(`${brotliDecompressSync(compressed.rawPayload)}`).toBe(SCRIPT)
  const plain = await app.inject({ url })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).toBe(SCRIPT)
})
