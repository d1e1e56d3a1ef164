import { NodeUnavailable } from '@dct/chain-clients'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { realClock } from '../clock.ts'
import { OutcomeUnknown, openDatabase } from '../database/db.ts'
import { InvariantViolation, Refusal } from '../errors.ts'
import { createLogger } from '../logger.ts'
import type { Answered } from './answered.ts'
import { type CallLimits, createCallLimiter } from './call-limits.ts'
import { currentCaller } from './caller.ts'
import { type App, createHttp } from './http.ts'
import type { RouteRole } from './route-rules.ts'

const USER = { id: 7n, address: Buffer.alloc(20, 1), role: 'user', sessionHash: Buffer.alloc(32) }
const apps: App[] = []
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

const WIDE = { read: 1_000, write: 1_000, node: 1_000, networkFactor: 1 }

const answered: Answered[] = []

const logged: string[] = []

async function createApp(
  options: { trustedProxies?: number; limits?: CallLimits; allowedOrigins?: string[] } = {},
): Promise<App> {
  const app = await createHttp({
    log: createLogger('info', { write: (line) => void logged.push(line) }),
    onAnswered: (one) => void answered.push(one),
    version: 'test',
    isTimeTrusted: () => true,
    summaries: {},
    headers: { 'x-content-type-options': 'nosniff' },
    trustedProxies: options.trustedProxies ?? 0,
    allowedOrigins: options.allowedOrigins ?? [],
    reportsOf: () => undefined,
    limiter: createCallLimiter({ realClock, limits: options.limits ?? WIDE }),
    authenticate: async (token) => (token === 'good' ? { ...USER, role: 'user' } : undefined),
  })
  apps.push(app)
  return app
}

/** An app with a single route, which does `work`. */
async function appThat(work: () => unknown, role: RouteRole = 'public'): Promise<App> {
  const app = await createApp()
  app.get('/api/x', { config: { role } }, async () => work())
  return app
}

const throwing = (error: unknown) =>
  appThat(() => {
    throw error
  })

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  '[T010] a %s route below /api without a declared role prevents the start',
  async (method) => {
    const app = await createApp()
    expect(() =>
      app.route({ method, url: '/api/forgotten', handler: async () => 'secret' }),
    ).toThrow('/api/forgotten declares no role')
  },
)

test.each(['/dashboard%E0%A4%A', '/%ZZ?tab=claim', '/admin/cases/CL-1%'])(
  'the page %s, whose encoding is broken, opens the site; a call is refused',
  async (url) => {
    const app = await createApp()
    app.get('/', async () => 'the site')
    expect((await app.inject({ url })).body).toBe('the site')
    expect((await app.inject({ url: `/api${url}` })).statusCode).toBe(400)
  },
)

test('[T010] a plugin that omits the role of one route also prevents the start', async () => {
  const app = await createApp()
  const part: FastifyPluginAsync = async (routes) => {
    routes.get('/forgotten', async () => 'secret')
  }
  const registered = app.register(part, { prefix: '/api/user' }).ready()
  await expect(registered).rejects.toThrow('/api/user/forgotten declares no role')
})

test('a refusal returns its code, message and details', async () => {
  const app = await throwing(new Refusal('BAD_AMOUNT', { field: 'amount' }, 'Ten at least.'))
  const response = await app.inject('/api/x')
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual({
    message: 'Ten at least.',
    code: 'BAD_AMOUNT',
    details: { field: 'amount' },
  })
})

test('[T013] a caller over the limit gets the time to retry after', async () => {
  const app = await throwing(new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 17 }))
  const response = await app.inject('/api/x')
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '17'])
})

const NODE_AWAY = new NodeUnavailable('10.0.0.7:8545 could not be reached (ECONNREFUSED)')
const REFUSED = Object.assign(new Error('connect ECONNREFUSED 10.0.0.8:5432'), {
  ...{ code: 'ECONNREFUSED', password: 's3cret' },
})

test.each([
  ['node', NODE_AWAY, /10\.0\.0\.7:8545 could not be reached \(ECONNREFUSED\)/],
  ['database', REFUSED, /ECONNREFUSED 10\.0\.0\.8:5432/],
  ['database', new Error('timeout exceeded when trying to connect'), /timeout exceeded/],
  ['database', new OutcomeUnknown(REFUSED), /lost during a commit: .*10\.0\.0\.8:5432/],
  ['node', new Refusal('UNAVAILABLE', {}, 'Later.', { cause: NODE_AWAY }), /10\.0\.0\.7:8545/],
  [undefined, new Refusal('PRICE_UNAVAILABLE'), /no current price/],
])(
  'the log gives the reason why a call was not served (%s: %s), with the id of its response',
  async (dependency, error, words) => {
    const app = await throwing(error)
    logged.length = 0
    const answer = await app.inject('/api/x')
    expect(answer.statusCode).toBe(503)
    expect(answer.body).not.toMatch(/10\.0\.0|ECONN|timeout|commit/)
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        ...{ level: 40, msg: 'callNotServed', route: '/api/x', id: answer.headers['x-request-id'] },
        ...(dependency === undefined ? {} : { dependency }),
        err: expect.objectContaining({ message: expect.stringMatching(words) }),
      }),
    ])
    expect(logged.join()).not.toContain('s3cret')
  },
)

test('an ordinary refusal is not logged', async () => {
  const app = await throwing(new Refusal('BAD_AMOUNT'))
  logged.length = 0
  expect((await app.inject('/api/x')).statusCode).toBe(400)
  expect(logged).toEqual([])
})

test.each([
  ['a node is away', NODE_AWAY, 503],
  ['the database is unreachable', REFUSED, 503],
  ['the outcome of a commit is unknown', new OutcomeUnknown(new Error('x')), 503],
  ['the database dies', new Error('Connection terminated unexpectedly'), 503],
  ['the database stops', Object.assign(new Error('x'), { code: '57P01' }), 503],
  ['the database is full', Object.assign(new Error('x'), { code: '53300' }), 503],
  ['a text cannot be stored', Object.assign(new Error('x'), { code: '22021' }), 400],
  ['one of our statements is invalid', Object.assign(new Error('x'), { code: '42P01' }), 500],
  ['an invariant is violated', new InvariantViolation('split lost a unit'), 500],
  ['something that is not an error is thrown', 'text', 500],
])('[T092] when %s, no internals are revealed', async (_what, error, status) => {
  const response = await (await throwing(error)).inject('/api/x')
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ message: expect.any(String), code: expect.any(String) })
  expect(response.body).not.toMatch(/terminated|10\.0\.0\.7|split lost|ECONN|\.ts/)
})

test('[T092] without a database a call gets 503 within three seconds', async () => {
  const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:9/none', maxConnections: 1 })
  const app = await appThat(() => sql`select 1`.execute(db))
  const startedAt = performance.now()
  const response = await app.inject('/api/x')
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  expect([response.statusCode, response.json().code]).toEqual([503, 'UNAVAILABLE'])
  expect(response.headers['cache-control']).toBe('no-store')
  await db.destroy()
})

test.each([
  ['Bearer good', 200],
  ['bearer good', 200],
  ['good', 401],
  ['Basic good', 401],
  ['Bearer good extra', 401],
  [`Bearer ${'g'.repeat(300)}`, 401],
  ["Bearer ' or 1=1", 401],
])('the header %j gets status %i', async (authorization, status) => {
  const app = await appThat(() => 'fine', 'user')
  const response = await app.inject({ url: '/api/x', headers: { authorization } })
  expect(response.statusCode).toBe(status)
})

test("[T013] a caller's address is only accepted from configured proxies", async () => {
  const seen: unknown[] = []
  for (const trustedProxies of [0, 1]) {
    const app = await createApp({ trustedProxies })
    app.get('/api/x', { config: { role: 'public' } }, async () => currentCaller())
    const headers = { 'x-forwarded-for': '1.1.1.1, 2.2.2.2' }
    seen.push((await app.inject({ url: '/api/x', headers, remoteAddress: '10.0.0.9' })).json())
  }
  expect(seen).toEqual([{ ip: '10.0.0.9' }, { ip: '2.2.2.2' }])
})

test('a body is not converted; a query is converted to its type', async () => {
  const app = await createApp()
  const schema = {
    body: Type.Object({ amount: Type.Number() }, { additionalProperties: false }),
    querystring: Type.Object({ page: Type.Integer({ default: 1 }) }),
  }
  app.post('/api/x', { schema, config: { role: 'public' } }, async (request) => ({
    ...request.body,
    ...request.query,
  }))
  const send = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  expect((await send('/api/x?page=3', { amount: 2 })).json()).toEqual({ amount: 2, page: 3 })
  expect((await send('/api/x', { amount: 2 })).json()).toEqual({ amount: 2, page: 1 })
  expect((await send('/api/x', { amount: '2' })).json()).toMatchObject({ code: 'BAD_REQUEST' })
  expect((await send('/api/x', {})).json()).toEqual({
    message: "The field 'amount' is required.",
    code: 'BAD_REQUEST',
    details: { field: 'amount' },
  })
})

test('an invalid value is explained in plain words instead of the validator’s', async () => {
  const app = await createApp()
  const body = Type.Object({
    code: Type.Optional(Type.String({ maxLength: 5, pattern: '^[a-z]*$' })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  })
  app.post('/api/x', { schema: { body }, config: { role: 'public' } }, async () => ({}))
  const answerTo = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/api/x', payload })).json().message
  expect(await answerTo({ code: 'abcdef' })).toBe(
    "The field 'code' is too long: at most 5 characters are possible.",
  )
  expect(await answerTo({ code: 'A' })).toBe("The field 'code' is not valid.")
  expect(await answerTo({ count: 10 })).toBe("The field 'count' must be at most 9.")
  expect(await answerTo({ count: 0 })).toBe("The field 'count' must be at least 1.")
  expect(await answerTo({ count: 'x' })).toBe("The field 'count' must be a whole number.")
})

const NARROW = { read: 3, write: 2, node: 1, networkFactor: 2 }
const GOOD = { authorization: 'Bearer good' }

test.each([
  ['GET', false, 3],
  ['POST', false, 2],
  ['POST', true, 1],
] as const)(
  'the limit of %s calls per minute and user (with a node call: %s) is %i',
  async (method, asksNode, most) => {
    const app = await createApp({ limits: NARROW })
    const config = { role: 'user', asksNode } as const
    app.route({ method, url: '/api/x', config, handler: async () => 'done' })
    const statuses: number[] = []
    for (let each = 0; each <= most; each += 1) {
      const answer = await app.inject({ method, url: '/api/x', headers: GOOD })
      statuses.push(answer.statusCode)
      if (each === most) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(statuses).toEqual([...Array<number>(most).fill(200), 429])
  },
)

test('calls without a session or to unknown paths are limited per network too', async () => {
  for (const url of ['/api/x', '/api/nothing']) {
    const app = await createApp({ limits: NARROW })
    app.get('/api/x', { config: { role: 'user' } }, async () => 'done')
    const statuses: number[] = []
    for (let each = 0; each < 7; each += 1) {
      statuses.push((await app.inject({ url })).statusCode)
    }
    expect(statuses.slice(0, 6)).not.toContain(429)
    expect(statuses[6]).toBe(429)
  }
})

const APP = 'https://app.example.org'

test('pages of an allowed origin can call the API, others cannot', async () => {
  const app = await createApp({ allowedOrigins: [APP] })
  app.post('/api/x', { config: { role: 'user' } }, async () => 'done')
  const preflight = (origin: string) =>
    app.inject({
      method: 'OPTIONS',
      url: '/api/x',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  const allowed = await preflight(APP)
  expect(allowed.statusCode).toBe(204)
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': APP,
    'access-control-allow-headers': 'authorization, content-type',
    vary: 'origin',
  })
  expect(allowed.headers).not.toHaveProperty('access-control-allow-credentials')
  const call = { method: 'POST', url: '/api/x' } as const
  const answer = await app.inject({ ...call, headers: { ...GOOD, origin: APP } })
  expect([answer.body, answer.headers['access-control-allow-origin']]).toEqual(['done', APP])
  const refused = await app.inject({ ...call, headers: { origin: APP } })
  expect(refused.headers['access-control-allow-origin']).toBe(APP)

  for (const origin of ['https://evil.example.org', `${APP}.evil.org`, 'null']) {
    const other = await preflight(origin)
    expect(other.statusCode).toBe(405)
    expect(other.headers).not.toHaveProperty('access-control-allow-origin')
  }
})

test('a call is logged with its route, never its path, and with the id in its response', async () => {
  const app = await createApp()
  const schema = { querystring: Type.Object({ a: Type.String() }) }
  app.get('/api/cases/:token', { schema, config: { role: 'any' } }, async () => 'ok')
  answered.length = 0
  const headers = { authorization: 'Bearer good', 'x-request-id': 'named-outside' }
  const { headers: found } = await app.inject({ url: '/api/cases/s3cret?a=s3cret', headers })
  expect(answered).toMatchObject([
    { method: 'GET', route: '/api/cases/:token', status: 200, user: 7n, id: found['x-request-id'] },
  ])
  expect(answered[0]?.id).toMatch(/^[\da-f-]{36}$/)
  expect(String(JSON.stringify(answered, (_, value) => `${value}`))).not.toContain('s3cret')
})

test('a trusted proxy can set the request’s id, unless it is not a plain id', async () => {
  const app = await createApp({ trustedProxies: 1 })
  app.get('/api/x', { config: { role: 'public' } }, async () => 'ok')
  const idOf = async (id: string) =>
    (await app.inject({ url: '/api/x', headers: { 'x-request-id': id } })).headers['x-request-id']
  expect(await idOf('named-outside')).toBe('named-outside')
  expect(await idOf('a "quote" and more')).toMatch(/^[\da-f-]{36}$/)
})

test('a background call of an open page is reported only when it fails', async () => {
  const app = await createApp()
  const config = { role: 'user', isBackground: true } as const
  app.get('/api/asked', { config }, async () => ({}))
  answered.length = 0
  await app.inject({ url: '/api/asked', headers: { authorization: 'Bearer good' } })
  expect(answered).toEqual([])
  await app.inject({ url: '/api/asked', headers: { authorization: 'Bearer other' } })
  expect(answered.map(({ status }) => status)).toEqual([401])
})

test.each([
  ['a NUL', 'a\0b'],
  ['a control character', 'a\u0007b'],
  ['half a character', 'a\ud83db'],
])('a text with %s is refused with the name of its field', async (_what, text) => {
  const app = await createApp()
  const note = Type.Object({ text: Type.String({ maxLength: 20 }) })
  const body = Type.Object({ notes: Type.Array(note, { maxItems: 2 }) })
  const querystring = Type.Object({ search: Type.Optional(Type.String()) })
  app.post('/api/x', { schema: { body, querystring }, config: { role: 'public' } }, async () => 1)
  const send = (payload: object, query = '') =>
    app.inject({ method: 'POST', url: `/api/x${query}`, payload })
  const refused = await send({ notes: [{ text: 'fine\n🚫' }, { text }] })
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    {
      message: "The field 'notes.1.text' is not valid.",
      code: 'BAD_REQUEST',
      details: { field: 'notes.1.text' },
    },
  ])
  const fine = { notes: [{ text: 'fine\n🚫' }] }
  expect((await send(fine)).statusCode).toBe(200)
  // An address holds no halves of characters.
  const asked = await send(fine, `?search=${encodeURIComponent(text.toWellFormed())}%00`)
  expect(asked.json()).toMatchObject({ details: { field: 'search' } })
})

test.each([
  ['/register%3Fref%3Dabcd2345)%20join', '/register?ref=abcd2345)%20join'],
  ['/register%3fref%3DABCD2345?utm=1', '/'],
  ['/%3F//example.org', '/'],
  ['/dashbord', '/'],
])('a browser that asks for %s is led to %s', async (url, place) => {
  const app = await createApp()
  const { statusCode, headers } = await app.inject({ url, headers: { accept: 'text/html' } })
  expect([statusCode, headers.location]).toEqual([302, place])
})
