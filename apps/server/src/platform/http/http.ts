import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import type { ReadDb } from '../database/db.ts'
import { invariant, Refusal } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Reports } from '../replica/replica.ts'
import { answerUnparsed } from './answer-unparsed.ts'
import { type Answered, answeredOf } from './answered.ts'
import { documentOptions, type Summaries } from './api-document.ts'
import { type CallConfig, type CallLimiter, callKindOf, isRead } from './call-limits.ts'
import { enterCall } from './caller.ts'
import { answerOrigin } from './cors.ts'
import { tidyForwarded } from './forwarded.ts'
import { answerError, answerUnknownRoute } from './http-errors.ts'
import { validatorCompiler } from './http-validation.ts'
import {
  completeRoute,
  createMethodTable,
  dropEmptyBody,
  type RouteRole,
  refuseUnknownBody,
} from './route-rules.ts'

export type Role = 'user' | 'admin'
export type SessionUser = { id: bigint; address: Buffer; role: Role; sessionHash: Buffer }

declare module 'fastify' {
  interface FastifyContextConfig extends CallConfig {
    role?: RouteRole
    /** Open pages call it on their own and may wait for its answer: not a use of the session, and not a timed call. */
    isBackground?: boolean
  }
  interface FastifyRequest {
    /** Set on every route whose role is not `public`. */
    sessionUser: SessionUser | null
    /** Set on every route that may read a replica. */
    reports: Reports | null
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Finds the owner of a bearer token; undefined when the token is unknown, expired or revoked. */
export type Authenticate = (
  token: string,
  request: FastifyRequest,
) => Promise<SessionUser | undefined>

/** What a call reads from if its route may read a replica; undefined if it may not. */
export type ReportsOf = (request: FastifyRequest) => Reports | undefined

export type HttpOptions = {
  log: Logger
  /** Called after every call below /api, except background calls that succeeded. */
  onAnswered(answered: Answered): void
  authenticate: Authenticate
  reportsOf: ReportsOf
  limiter: CallLimiter
  /** Whether the clock is right. While it is not, nothing that needs or writes a time is answered. */
  isTimeTrusted(): boolean
  version: string
  /** What each call does, for the OpenAPI document. */
  summaries: Summaries
  /** The number of trusted proxies in front of the service that may name the caller's address. */
  trustedProxies: number
  /** Other origins whose pages may call the API; the site's own needs no entry. */
  allowedOrigins: readonly string[]
  /** The security headers of every response. */
  headers: Readonly<Record<string, string>>
}

const REQUEST_ID = /^[\w-]{8,64}$/
const DOCS_PATH = '/api/docs'
/** JSON is UTF-8 (RFC 8259), so with another charset its bytes would be misread. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i
/** Longer than any URL: Node refuses headers of 16 KiB. */
const MAX_URL_LENGTH = 16 * 1024
/** No route has this address; it takes the requests whose own cannot be decoded, so that all rules apply to them too. */
const MALFORMED = '/api/malformed'

/**
 * The HTTP server with the rules that every route shares: a declared role (default deny: a route
 * without one fails at start), limits by network and user, strict validation, one error handler, an
 * OpenAPI document.
 */
export async function createHttp(options: HttpOptions): Promise<App> {
  const app: App = fastify<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression
  >({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], options.trustedProxies),
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    // Every path parameter has a schema, which limits its length; the router's own limit would answer in another shape.
    routerOptions: { maxParamLength: MAX_URL_LENGTH, ignoreTrailingSlash: true },
    forceCloseConnections: true as const,
    http: { requireHostHeader: false },
    rewriteUrl: ({ url = '' }) => (isDecodable(url) ? url : placeOfMalformed(url)),
    clientErrorHandler: (error, socket) => answerUnparsed(options, error, socket),
  }).withTypeProvider<TypeBoxTypeProvider>()
  // An expectation other than 100-continue may be ignored; Node itself would answer in another shape.
  app.server.on('checkExpectation', (...request) => app.server.emit('request', ...request))
  // Node would close the connection without an answer.
  app.server.on('connect', (_request, socket) =>
    answerUnparsed(options, new Error('not a proxy'), socket as Socket),
  )
  app.setValidatorCompiler(validatorCompiler)
  readBodies(app)
  app.setErrorHandler(answerError)
  const methods = createMethodTable()
  app.setNotFoundHandler((request, reply) => {
    if (request.url === MALFORMED) throw new Refusal('BAD_REQUEST')
    if (wantsPage(request)) return reply.redirect(placeMeant(request.url))
    return answerUnknownRoute(reply, methods.of(pathOf(request.url)))
  })
  app.decorateRequest('sessionUser', null)
  app.decorateRequest('reports', null)
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith(DOCS_PATH)) route.config = { ...route.config, role: 'public' }
    if (
      route.url.startsWith('/api/') &&
      route.config?.role === undefined &&
      route.method !== 'HEAD'
    ) {
      throw new Error(`Route ${String(route.method)} ${route.url} declares no role`)
    }
    if (!route.url.startsWith('/api/')) return
    methods.add(route)
    if (!route.url.startsWith(DOCS_PATH)) completeRoute(route)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (options.trustedProxies > 0) tidyForwarded(request.headers)
    dropEmptyBody(request)
    // The matched route decides, never the path as written: one path can be written in many ways.
    if (isCall(request)) {
      void reply.header('cache-control', 'no-store').header('x-request-id', request.id)
    }
    enterCall({ ip: request.ip })
    const hosts = request.raw.rawHeaders.filter((one, at) => at % 2 === 0 && /^host$/i.test(one))
    if (hosts.length > 1 || (hosts.length === 0 && request.raw.httpVersion === '1.1'))
      throw new Refusal('BAD_REQUEST')
    if (isCall(request) && answerOrigin(request, reply, options.allowedOrigins)) return reply
    const kind = isCall(request)
      ? callKindOf(request.method, request.routeOptions.config)
      : undefined
    if (kind !== undefined) options.limiter.ofNetwork(kind, request.ip)
    if (isCall(request) && needsTime(request) && !options.isTimeTrusted())
      throw new Refusal('UNAVAILABLE', {}, undefined, { cause: new Error('the clock is wrong') })
    await checkRole(request, options.authenticate)
    if (kind !== undefined && request.sessionUser !== null) {
      options.limiter.ofUser(kind, request.sessionUser.id)
    }
    if (isCall(request)) chooseReports(request, reply, options.reportsOf)
  })
  app.addHook('preValidation', async (request) => {
    if (isCall(request)) refuseUnknownBody(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    const isWait = request.routeOptions.config.isBackground === true && reply.statusCode < 400
    if (isCall(request) && !isWait) options.onAnswered(answeredOf(request, reply))
  })
  await app.register(swagger, documentOptions(options.version, options.summaries))
  app.get('/api/openapi.json', { config: { role: 'public' }, schema: { hide: true } }, () =>
    app.swagger(),
  )
  return app
}

function chooseReports(request: FastifyRequest, reply: FastifyReply, reportsOf: ReportsOf): void {
  const reports = reportsOf(request)
  if (reports === undefined) return
  request.reports = reports
  void reply.header('data-age', Math.ceil(reports.ageMs / 1_000))
}

/** Only JSON is parsed: bodies that a form of another site can send without a preflight are refused. */
function readBodies(app: App): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } =
        request.headers
      if (OTHER_CHARSET.test(type) || encoding !== 'identity')
        return done(new Refusal('JSON_EXPECTED'))
      if (!isUtf8(body)) return done(new Refusal('BAD_REQUEST'))
      return body.length === 0 ? done(null) : parse(request, `${body}`, done)
    },
  )
}

/** Serves the OpenAPI document as a page, which brings its own content security policy. */
export async function serveDocs(app: App): Promise<void> {
  await app.register(swaggerUi, { routePrefix: DOCS_PATH })
}

/** A trusted proxy may have set the request's id. Without a proxy, callers must not choose what the log contains. */
function requestIdOf(header: string | string[] | undefined, trustedProxies: number): string {
  const isUsable = trustedProxies > 0 && typeof header === 'string' && REQUEST_ID.test(header)
  return isUsable ? header : randomUUID()
}

/**
 * Where the address of no page was meant to lead: some apps encode the `?` of a link that is passed on. Otherwise to the
 * first page, for a person who mistyped it.
 */
function placeMeant(url: string): string {
  const [, page, query = ''] = /^(\/[a-z-]+)%3[fF]([^?]*)$/.exec(url) ?? []
  return page === undefined ? '/' : `${page}?${encodeURI(decodeURIComponent(query))}`
}

function wantsPage(request: FastifyRequest): boolean {
  const isNavigation = isRead(request.method) && /\btext\/html\b/.test(request.headers.accept ?? '')
  return isNavigation && !isCall(request) && pathOf(request.url) !== '/'
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** Which address answers one that cannot be decoded: a page's, as chat apps cut it, opens the site. */
function placeOfMalformed(url: string): string {
  return url.startsWith('/api') ? MALFORMED : '/'
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(pathOf(url))
    return true
  } catch {
    // A percent sign that begins no character.
    return false
  }
}

/** Whether a path belongs to the API, known or not. */
function isCall({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? url).startsWith('/api/')
}

/** Whether a call depends on the time: a session has one, and so has everything that is written. */
function needsTime({ method, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.role !== 'public' || !isRead(method)
}

async function checkRole(request: FastifyRequest, authenticate: Authenticate): Promise<void> {
  const role = request.routeOptions.config.role
  if (role === undefined || role === 'public') return
  const token = bearerToken(request)
  const user = token === undefined ? undefined : await authenticate(token, request)
  if (user === undefined) throw new Refusal('NOT_SIGNED_IN')
  if (role !== 'any' && user.role !== role) throw new Refusal('FORBIDDEN')
  request.sessionUser = user
}

/**
 * Refuses a holder who has not accepted the terms in force. For actions that start something new, never for the return
 * of capital or for reads.
 */
export type RequireConsent = { requireConsent(user: SessionUser): Promise<void> }

/** The bearer token of a request, undefined when there is none. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/-]{1,200}=*)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The signed-in user of a request. Only for routes whose role is not `public`. */
export function userOf(request: FastifyRequest): SessionUser {
  if (request.sessionUser === null) throw new Refusal('NOT_SIGNED_IN')
  return request.sessionUser
}

/** The database handle that a call reads from. Only for routes that may read a replica. */
export function readsOf({ reports, routeOptions }: FastifyRequest): ReadDb {
  invariant(reports !== null, `${routeOptions.url} may not read a replica`)
  return reports.db
}
