/**
 * The service as pages see it, without a database or chains: every call's own role, request schema, reply schema,
 * serializer and refusals, and the built pages with their headers. What a call answers is asked of the parent process.
 */
import { fileURLToPath } from 'node:url'
import type { ErrorCode } from '@dct/api-contract/errors'
import { formatTronAddress, parseTronAddress } from '@dct/rules/addresses'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Value } from 'typebox/value'
import { createChains } from '../main/chains/chains.ts'
import { readConfig } from '../main/config.ts'
import type { Context } from '../main/context.ts'
import { registerRoutes } from '../main/http/routes.ts'
import { addSecurityHeaders, securityHeaders, serveWebApp } from '../main/http/site.ts'
import { SUMMARIES } from '../main/http/summaries.ts'
import { realClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/database/db.ts'
import { type Facts, Refusal } from '../platform/errors.ts'
import { createHttp, type SessionUser } from '../platform/http/http.ts'
import { createLogger } from '../platform/logger.ts'
import { UNGUARDED } from '../platform/time-guard.ts'
import { DEVNET } from './live-settings.ts'

/** What a page asked; `route` is the call as the service declares it, such as `GET /api/admin/users`. */
export type Asked = {
  id: number
  route: string
  /** Whose session it was. */
  role: SessionUser['role'] | undefined
  address: string | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}
/**
 * What it is told: a reply that the call's schema describes, a refusal of the service's catalogue, any other answer as
 * it stands, or nothing at all, for as long as the page waits.
 */
export type Told =
  | { reply: unknown }
  | { file: { name: string; text: string } }
  | { refusal: ErrorCode; facts?: Facts }
  | { status: number; text: string }
  | 'nothing'
export type FromService = { isReady: true } | { asked: Asked } | { complaint: string }
export type ToService = { id: number; told: Told }

const WEB_FOLDER = fileURLToPath(new URL('../../../../apps/web/dist', import.meta.url))
const NOBODY = { role: undefined, address: undefined }
const waiting = new Map<number, (told: Told) => void>()
let lastId = 0

function tell(message: FromService): void {
  process.send?.(message)
}

function ask(asked: Omit<Asked, 'id'>): Promise<Told> {
  lastId += 1
  const id = lastId
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    tell({ asked: { id, ...asked } })
  })
}

process.on('message', ({ id, told }: ToService) => {
  waiting.get(id)?.(told)
  waiting.delete(id)
})
process.on('disconnect', () => process.exit())

/** A token names its owner: `user.TRON_ADDRESS` or `admin.TRON_ADDRESS`. */
async function ownerOf(token: string): Promise<SessionUser | undefined> {
  const [, role, address] = /^(user|admin)\.(\w+)$/.exec(token) ?? []
  if (role === undefined || address === undefined) return undefined
  return {
    ...{ id: 1n, role: role as SessionUser['role'], sessionHash: Buffer.alloc(32) },
    address: Buffer.from(parseTronAddress(address) ?? []),
  }
}

/** The schema of a call's JSON reply; a list that is also a file declares both. */
function replySchemaOf({ schema }: RouteOptions): object | undefined {
  const { 200: reply } = (schema?.response ?? {}) as Record<number, Reply | undefined>
  return reply?.content === undefined ? reply : reply.content['application/json'].schema
}
type Reply = { content?: { 'application/json': { schema: object } } }

function answerFromParent(route: RouteOptions): void {
  const name = `${String(route.method)} ${route.url}`
  const schema = replySchemaOf(route)
  route.handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { params, query, body, sessionUser } = request as FastifyRequest<{
      Params: Asked['params']
      Querystring: Asked['query']
    }>
    const session = {
      role: sessionUser?.role,
      address: sessionUser ? formatTronAddress(sessionUser.address) : undefined,
    }
    const told = await ask({ route: name, ...session, params, query, body })
    if (told === 'nothing') return new Promise(() => undefined)
    if ('refusal' in told) throw new Refusal(told.refusal, told.facts)
    if ('status' in told) return reply.status(told.status).serializer(String).send(told.text)
    if ('file' in told) {
      void reply.header('content-disposition', `attachment; filename="${told.file.name}"`)
      return reply.type('text/csv; charset=utf-8').serializer(String).send(told.file.text)
    }
    const [error] = schema === undefined ? [] : Value.Errors(schema, told.reply)
    if (error !== undefined) {
      const complaint = `The service never answers ${name} like that: ${error.instancePath} ${error.message}`
      tell({ complaint })
      throw new Error(complaint)
    }
    return reply.send(told.reply)
  }
}

const port = Number(process.argv[2])
const config = readConfig({
  ...DEVNET,
  PORT: `${port}`,
  LOG_LEVEL: 'silent',
  TRON_FULL_HOST: 'http://127.0.0.1:9/',
  BSC_RPC: 'http://127.0.0.1:9/',
})
const context: Context = {
  config,
  log: createLogger('silent'),
  // No handler runs, so nothing ever connects.
  db: openDatabase({ url: config.databaseUrl, maxConnections: 1, statementTimeoutMs: 1_000 }),
  replica: undefined,
  clock: realClock,
  movableClock: undefined,
  chains: createChains(config),
  dctDecimals: 6,
  own: { operator: [], payout_wallet: [], payout_operator: [], fee_receiver: [] },
  operator: '0x',
  payoutOperator: '0x',
  priceMaxAgeMs: 0,
  mailbox: undefined,
  timeGuard: UNGUARDED,
  requireStepUp: async () => undefined,
  close: async () => undefined,
}
const headers = securityHeaders(config)
const app = await createHttp({
  headers,
  log: context.log,
  version: '0.0.0',
  isTimeTrusted: () => true,
  summaries: SUMMARIES,
  trustedProxies: 0,
  allowedOrigins: [],
  onAnswered: () => undefined,
  reportsOf: () => undefined,
  limiter: { ofNetwork: () => undefined, ofUser: () => undefined },
  authenticate: ownerOf,
})
app.addHook('onRoute', (route) => {
  if (route.url.startsWith('/api/')) answerFromParent(route)
})
addSecurityHeaders(app, headers)
// The nodes of both chains, in whatever form a test answers.
for (const url of ['/bsc', '/tron/*']) {
  app.post(url, async ({ params, body }, reply) => {
    const path = (params as { '*'?: string })['*']
    const route = `POST ${path === undefined ? url : `/tron/${path}`}`
    const told = await ask({ route, ...NOBODY, params: {}, query: {}, body })
    if (told === 'nothing') return new Promise(() => undefined)
    if (!('reply' in told)) return reply.code(503).send()
    return reply.send(told.reply)
  })
}
const noLongPoll = {
  ask: async () => undefined,
  wake: () => undefined,
  wakeAll: () => undefined,
  close: () => undefined,
}
await registerRoutes(app, context, noLongPoll)
await serveWebApp(app, WEB_FOLDER, config.brand)
await app.listen({ host: '127.0.0.1', port })
tell({ isReady: true })
