import { NodeUnavailable } from '@dct/chain-clients'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { currentCaller } from './caller.ts'
import { openDatabase } from './db.ts'
import { InvariantViolation, Refusal } from './errors.ts'
import { type App, createHttp, type RouteRole } from './http.ts'
import { createLogger } from './logger.ts'

const USER = { id: 7n, address: Buffer.alloc(20, 1), role: 'user', sessionHash: Buffer.alloc(32) }
const apps: App[] = []
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

async function createApp(options: { trustedProxies?: number } = {}): Promise<App> {
  const app = await createHttp({
    log: createLogger('silent'),
    version: 'test',
    trustedProxies: options.trustedProxies ?? 0,
    authenticate: async (token) => (token === 'good' ? { ...USER, role: 'user' } : undefined),
  })
  apps.push(app)
  return app
}

/** An app with one route that does `work`. */
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
  '[T010] a %s route below /api that declares no role stops the start',
  async (method) => {
    const app = await createApp()
    expect(() =>
      app.route({ method, url: '/api/forgotten', handler: async () => 'secret' }),
    ).toThrow('/api/forgotten declares no role')
  },
)

test('[T010] a part that forgets the role of one route stops the start, too', async () => {
  const app = await createApp()
  const part: FastifyPluginAsync = async (routes) => {
    routes.get('/forgotten', async () => 'secret')
  }
  const registered = app.register(part, { prefix: '/api/user' }).ready()
  await expect(registered).rejects.toThrow('/api/user/forgotten declares no role')
})

test('a refusal answers with its code, its words and its facts', async () => {
  const app = await throwing(new Refusal('BAD_AMOUNT', { field: 'amount' }, 'Ten at least.'))
  const response = await app.inject('/api/x')
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual({
    message: 'Ten at least.',
    code: 'BAD_AMOUNT',
    details: { field: 'amount' },
  })
})

test('[T013] who asks too often is told when to come back', async () => {
  const app = await throwing(new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 17 }))
  const response = await app.inject('/api/x')
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '17'])
})

test.each([
  ['a node is away', new NodeUnavailable('http://10.0.0.7:8545 refused'), 503],
  ['the database is away', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503],
  ['the database stops', Object.assign(new Error('x'), { code: '57P01' }), 503],
  ['the database is full', Object.assign(new Error('x'), { code: '53300' }), 503],
  ['a text cannot be stored', Object.assign(new Error('x'), { code: '22021' }), 400],
  ['a statement of ours is wrong', Object.assign(new Error('x'), { code: '42P01' }), 500],
  ['a promise of ours is broken', new InvariantViolation('split lost a unit'), 500],
  ['something throws no error', 'text', 500],
])('[T092] when %s, nothing of our inside is told', async (_what, error, status) => {
  const response = await (await throwing(error)).inject('/api/x')
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ message: expect.any(String), code: expect.any(String) })
  expect(response.body).not.toMatch(/10\.0\.0\.7|split lost|ECONN|\.ts/)
})

test('[T092] without a database a call is answered 503 within three seconds', async () => {
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
])('the header %j is answered %i', async (authorization, status) => {
  const app = await appThat(() => 'fine', 'user')
  const response = await app.inject({ url: '/api/x', headers: { authorization } })
  expect(response.statusCode).toBe(status)
})

test("[T013] a caller's address is believed only from proxies that are configured", async () => {
  const seen: unknown[] = []
  for (const trustedProxies of [0, 1]) {
    const app = await createApp({ trustedProxies })
    app.get('/api/x', { config: { role: 'public' } }, async () => currentCaller())
    const headers = { 'x-forwarded-for': '1.1.1.1, 2.2.2.2' }
    seen.push((await app.inject({ url: '/api/x', headers, remoteAddress: '10.0.0.9' })).json())
  }
  expect(seen).toEqual([{ ip: '10.0.0.9' }, { ip: '2.2.2.2' }])
})

test('a body is taken as it is; a query is read as its type', async () => {
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
