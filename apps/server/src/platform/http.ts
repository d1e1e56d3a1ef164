import { randomUUID } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { enterCall } from './caller.ts'
import { Refusal } from './errors.ts'
import { answerError, answerUnknownRoute } from './http-errors.ts'
import { validatorCompiler } from './http-validation.ts'
import type { Logger } from './logger.ts'

/** Who may call a route. `any` is everybody who is signed in. */
export type RouteRole = 'public' | 'user' | 'admin' | 'any'
export type Role = 'user' | 'admin'
export type SessionUser = { id: bigint; address: Buffer; role: Role; sessionHash: Buffer }

declare module 'fastify' {
  interface FastifyContextConfig {
    role?: RouteRole
  }
  interface FastifyRequest {
    /** Set on every route whose role is not `public`. */
    sessionUser: SessionUser | null
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Finds who a bearer token belongs to; undefined when it is unknown, expired or revoked. */
export type Authenticate = (
  token: string,
  request: FastifyRequest,
) => Promise<SessionUser | undefined>

export type HttpOptions = {
  log: Logger
  authenticate: Authenticate
  version: string
  /** How many proxies in front of us may name the caller's address; 0 trusts none. */
  trustedProxies: number
}

const MAX_BODY_BYTES = 16 * 1024
const DOCS_PATH = '/api/docs'

/**
 * The HTTP server with the rules that every route shares: a declared role (default deny: a route
 * without one fails at start), strict validation, one error handler, an OpenAPI document.
 */
export async function createHttp(options: HttpOptions): Promise<App> {
  const app: App = fastify<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression
  >({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    forceCloseConnections: true as const,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  // Only JSON is read: what a form of another site can send without being asked is refused.
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerUnknownRoute)
  app.decorateRequest('sessionUser', null)
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith(DOCS_PATH)) route.config = { ...route.config, role: 'public' }
    if (
      route.url.startsWith('/api/') &&
      route.config?.role === undefined &&
      route.method !== 'HEAD'
    ) {
      throw new Error(`Route ${String(route.method)} ${route.url} declares no role`)
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    // The route that was found decides, never the spelling that found it: a path can be written in many ways.
    if (isCall(request)) void reply.header('cache-control', 'no-store')
    enterCall({ ip: request.ip })
    await checkRole(request, options.authenticate)
  })
  await app.register(swagger, openApi(options.version))
  app.get('/api/openapi.json', { config: { role: 'public' }, schema: { hide: true } }, () =>
    app.swagger(),
  )
  return app
}

/** Serves the readable page of the OpenAPI document, which brings its own content security policy. */
export async function serveDocs(app: App): Promise<void> {
  await app.register(swaggerUi, { routePrefix: DOCS_PATH })
}

/** A call of the API, or a path that would be one. */
function isCall({ routeOptions, url }: FastifyRequest): boolean {
  return (routeOptions.url ?? url).startsWith('/api/')
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

/** The bearer token of a request, undefined when there is none. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/-]{1,200}=*)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The signed-in user of a request. Only for routes whose role is not `public`. */
export function userOf(request: FastifyRequest): SessionUser {
  if (request.sessionUser === null) throw new Refusal('NOT_SIGNED_IN')
  return request.sessionUser
}

function openApi(version: string) {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'DCT Earning API',
        version,
        description:
          'Amounts are decimal strings in the unit of their asset. Errors are {message, code, details?}. ' +
          'Calls need the bearer token of POST /api/auth/login unless they say otherwise.',
      },
      components: {
        securitySchemes: { bearer: { type: 'http' as const, scheme: 'bearer' } },
      },
    },
    transform: describeRole,
  }
}

type Described = { schema: Record<string, unknown>; url: string }

function describeRole(input: {
  schema: unknown
  url: string
  route?: { config?: { role?: RouteRole } }
}): Described {
  const schema = (input.schema ?? {}) as Record<string, unknown>
  const role = input.route?.config?.role ?? 'public'
  const tag = input.url.split('/')[2] ?? 'other'
  return {
    url: input.url,
    schema: {
      tags: [tag],
      ...schema,
      'x-role': role,
      ...(isDocumented(input.url) ? {} : { hide: true }),
      ...(role === 'public' ? {} : { security: [{ bearer: [] }] }),
    },
  }
}

/** Pages, files and the development chains behind this address are not calls of ours. */
function isDocumented(url: string): boolean {
  return url.startsWith('/api/') || url.startsWith('/devnet/')
}
