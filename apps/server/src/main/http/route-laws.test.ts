import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { beforeAll, expect, test } from 'vitest'
import type { DescribedRoute, Schema } from '../../testing/api-document.ts'
import { sampleOf } from '../../testing/api-document.ts'
import { at, collectOdd, expectUnchanged, nameOf, useProbe } from '../../testing/request-probe.ts'

const PATIENCE_MS = 180_000
const probe = useProbe(useChainHost())
const calls = () => probe().routes.filter(({ path }) => path.startsWith('/api/'))
const withBody = () =>
  calls().flatMap((route) => (route.body === undefined ? [] : [{ ...route, body: route.body }]))
const bodiless = () => calls().filter(({ body, path }) => body === undefined && path !== ONE_CLICK)
/** It ignores whatever a mail program posts. */
const ONE_CLICK = '/api/messages/unsubscribe'

test(
  'every call refuses a query parameter that it does not declare',
  async () => {
    const { odd, refused } = collectOdd()
    for (const route of calls()) {
      const { path } = at(route)
      const needed = route.query.filter(({ required }) => required === true)
      const query = needed.map(({ name, schema }) => `${name}=${sampleOf(schema)}`)
      const answer = await probe().send({
        ...route,
        path: `${path}?${[...query, 'zz=1'].join('&')}`,
      })
      refused(nameOf(route), answer, { status: 400 })
    }
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'every call without a body refuses one, and takes an empty one for none',
  async () => {
    const { odd, refused } = collectOdd()
    await expectUnchanged(probe(), async () => {
      for (const route of bodiless()) {
        const answer = await probe().send(at(route), '{"amount":"1"}')
        refused(nameOf(route), answer, { status: 400, code: 'UNKNOWN_FIELD' })
      }
    })
    // These end the session with which the others are called.
    const ending = /(auth\/(logout|sessions(\/\{id\})?)|user\/account)$/
    for (const route of bodiless().filter(({ path }) => !ending.test(path))) {
      for (const body of ['', '{}']) {
        if (route.method === 'GET' && body !== '') continue
        const [empty, none] = [await probe().send(at(route), body), await probe().send(at(route))]
        if (empty.status !== none.status) odd.push([nameOf(route), body, empty, none.status])
      }
    }
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

/** The longest value that a schema accepts. */
function longestOf(schema: Schema & { maxLength?: number; maxItems?: number }): unknown {
  if (schema.enum !== undefined || schema.const !== undefined) return sampleOf(schema)
  if (schema.anyOf !== undefined) return longestOf(schema.anyOf[0] ?? {})
  if (schema.type === 'array')
    return Array.from({ length: schema.maxItems ?? 1 }, () => longestOf(schema.items ?? {}))
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {})
    return Object.fromEntries(properties.map(([name, part]) => [name, longestOf(part)]))
  }
  const isFree = schema.type === 'string' && schema.pattern === undefined
  return isFree ? '💥'.repeat(schema.maxLength ?? 1) : sampleOf(schema)
}

test(
  'no call refuses the longest body that its schema accepts as too large',
  async () => {
    const found: unknown[] = []
    expect(withBody()).not.toEqual([])
    for (const route of withBody()) {
      const text = JSON.stringify(longestOf(route.body)).replaceAll(
        /[\ud800-\udfff]/g,
        (half) => `\\u${half.charCodeAt(0).toString(16)}`,
      )
      const { status } = await probe().send(at(route), text)
      if (status === 413 || status >= 500) found.push([nameOf(route), text.length, status])
    }
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

const takes = (route: DescribedRoute, path: string) =>
  new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

test(
  'every call takes only the methods that its path has, and names them',
  async () => {
    const { odd, refused } = collectOdd()
    for (const path of new Set(calls().map((route) => at(route).path))) {
      const own = new Set<string>(
        calls().flatMap((route) => (takes(route, path) ? [route.method] : [])),
      )
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        if (own.has(method)) continue
        const { app } = probe().real
        const response = await app.inject({
          method: method as 'GET',
          url: path,
        })
        const { statusCode: status, body: text } = response
        const { code, message } = response.json()
        refused(
          [method, path],
          { status, text, code, message },
          { status: 405, code: 'METHOD_NOT_ALLOWED' },
        )
        const allowed = `${response.headers.allow}`.split(', ')
        for (const one of own) if (!allowed.includes(one)) odd.push([method, path, allowed])
      }
    }
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'JSON in another charset than UTF-8 is refused by every call with a body',
  async () => {
    const { odd, refused } = collectOdd()
    for (const route of calls().filter(({ body }) => body !== undefined)) {
      for (const charset of ['utf-16', '"utf-16le"', 'latin1', 'utf-8x']) {
        const headers = { 'content-type': `application/json; charset=${charset}` }
        refused([nameOf(route), charset], await probe().send(at(route), '{}', headers), {
          status: 415,
          code: 'JSON_EXPECTED',
        })
      }
      for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
        const headers = { 'content-type': `application/json; charset=${charset}` }
        const { status } = await probe().send(at(route), '{}', headers)
        if (status === 415) odd.push([nameOf(route), charset])
      }
    }
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

test('an unknown plan is not found as the subject of a call, and as a filter it leaves nothing', async () => {
  const { odd, refused } = collectOdd()
  const reads = calls().filter(({ method }) => method === 'GET')
  for (const route of reads.filter(({ path }) => /earning|claimed/.test(path))) {
    if (!route.path.includes('{code}')) continue
    const answer = await probe().send(at(route, { code: 'PLAN-NONE' }))
    refused(nameOf(route), answer, { status: 404 })
  }
  for (const route of reads) {
    for (const { name } of route.query.filter((one) => one.name.endsWith('plan_code'))) {
      const format = route.path.endsWith('/file') ? '&format=csv' : ''
      const answer = await probe().ask(route, `${name}=PLAN-NONE${format}`)
      if (answer.status !== 200) odd.push([nameOf(route), answer])
    }
  }
  expect(odd).toEqual([])
})

let port = 0
beforeAll(async () => {
  const { app } = probe().real
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})

/** Sends bytes as they are, and reads the response until the connection is closed. */
async function sendRaw(text: string | Buffer) {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(text)
  await once(socket, 'close')
  const [head = '', body = ''] = `${Buffer.concat(chunks)}`.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((each) => each.toLowerCase().split(': ')))
  return { status: Number(line.split(' ')[1]), headers, body: JSON.parse(body) }
}

const JSON_OF_TWO = 'content-type: application/json\r\ncontent-length: 2\r\n'
const REST = 'host: x\r\nconnection: close\r\n\r\n'

test.each([
  ['a path that cannot be decoded', `GET /api/% HTTP/1.1\r\n${REST}`, 400, 'BAD_REQUEST'],
  ['another such path', `GET /api/user/%ff HTTP/1.1\r\n${REST}`, 400, 'BAD_REQUEST'],
  ['a long path', `GET /api/user/${'x'.repeat(9_000)} HTTP/1.1\r\n${REST}`, 404, 'NOT_FOUND'],
  [
    'a long parameter',
    `GET /api/public/cases/${'x'.repeat(9_000)} HTTP/1.1\r\n${REST}`,
    400,
    'BAD_REQUEST',
  ],
  [
    'headers that are too large',
    `GET /api/live HTTP/1.1\r\na: ${'x'.repeat(20_000)}\r\n${REST}`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  ['an unknown method', `FOO /api/live HTTP/1.1\r\n${REST}`, 400, 'BAD_REQUEST'],
  ['a call of a proxy', `CONNECT example.org:443 HTTP/1.1\r\n${REST}`, 400, 'BAD_REQUEST'],
  ['two hosts', `GET /api/live HTTP/1.1\r\nhost: y\r\n${REST}`, 400, 'BAD_REQUEST'],
  [
    'a packed body',
    `POST /api/auth/login HTTP/1.1\r\n${JSON_OF_TWO}content-encoding: gzip\r\n${REST}{}`,
    415,
    'JSON_EXPECTED',
  ],
  [
    'a body that is not UTF-8',
    Buffer.from(`POST /api/auth/login HTTP/1.1\r\n${JSON_OF_TWO}${REST}"\xe9`, 'latin1'),
    400,
    'BAD_REQUEST',
  ],
  ['text that is not HTTP', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
  ['no host', 'GET /api/live HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'two lengths',
    `POST /api/auth/login HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n${REST}`,
    400,
    'BAD_REQUEST',
  ],
])('%s is refused like any other call', async (_what, text, status, code) => {
  const answer = await sendRaw(text)
  expect(answer).toMatchObject({
    status,
    body: { code, message: expect.any(String) },
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    },
  })
})

test('an expectation that the service does not know is ignored', async () => {
  const { status } = await sendRaw(`GET /api/live HTTP/1.1\r\nexpect: coffee\r\n${REST}`)
  expect(status).toBe(200)
})
