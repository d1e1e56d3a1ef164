import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from '../errors.ts'
import { isRead } from './call-limits.ts'
import { mostBytesOf, type SizedSchema } from './most-bytes.ts'

/** What every call may send, whatever its schema allows: enough for any small body, however it is spaced. */
const LEAST_BODY_LIMIT = 16 * 1024
const NOTHING = { type: 'object', properties: {}, additionalProperties: false }

/** Who may call a route. `any` means every signed-in user. */
export type RouteRole = 'public' | 'user' | 'admin' | 'any'

/** The parts of a route's schema that describe requests. */
export type RequestSchema = { querystring?: unknown; body?: unknown; hide?: boolean }

/**
 * Completes the declaration of a call: the largest body that its schema accepts is never too large, and a query that it
 * does not declare must be empty.
 * @throws Error if its body has no limit
 */
export function completeRoute(route: RouteOptions): void {
  const schema = (route.schema ?? {}) as RequestSchema
  if (schema.body !== undefined) {
    const most = mostBytesOf(schema.body as SizedSchema, `${String(route.method)} ${route.url}`)
    route.bodyLimit = Math.max(LEAST_BODY_LIMIT, most)
  }
  route.schema = { querystring: NOTHING, ...schema } as NonNullable<RouteOptions['schema']>
}

/** Refuses a body that a call does not declare; an empty one is none. */
export function refuseUnknownBody(request: FastifyRequest): void {
  if (request.routeOptions.schema?.body !== undefined || !hasContent(request)) return
  throw new Refusal('UNKNOWN_FIELD', { field: 'body' }, 'This call takes no body.')
}

/** An empty body is no body, whatever its type says: programs name a type although they send nothing. */
export function dropEmptyBody({ headers }: FastifyRequest): void {
  if (headers['content-length'] === '0') delete headers['content-type']
}

function hasContent({ method, headers, body }: FastifyRequest): boolean {
  if (!isRead(method)) return body !== undefined && body !== null && !isDeepStrictEqual(body, {})
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

type Table = Map<string, { pattern: RegExp; methods: Set<string> }>

/** The methods of the calls by their paths, to say which ones an address takes. */
export function createMethodTable() {
  const table: Table = new Map()
  return {
    add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
      const source = url
        .replaceAll(/[.+?^$()[\]\\|]/g, String.raw`\$&`)
        .replaceAll(/:\w+/g, '[^/]+')
      const entry = table.get(url) ?? { pattern: new RegExp(`^${source}/?$`), methods: new Set() }
      for (const name of [method].flat()) entry.methods.add(name)
      table.set(url, entry)
    },
    /** The methods that a path takes; empty if there is no such path. */
    of(path: string): string[] {
      const found = [...table.values()].filter(({ pattern }) => pattern.test(path))
      return [...new Set(found.flatMap(({ methods }) => [...methods]))].toSorted()
    },
  }
}
