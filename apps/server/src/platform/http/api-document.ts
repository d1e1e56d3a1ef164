import { ErrorReply } from '@dct/api-contract/common'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { RouteRole } from './route-rules.ts'

/** What each call does, by its method and path with `{name}` for its parameters: `GET /api/live`. */
export type Summaries = Readonly<Record<string, string>>

type Schema = Record<string, unknown>
type Parameter = { required?: boolean; schema: Schema }
type Operation = {
  operationId?: string
  summary?: string
  parameters?: Parameter[]
  requestBody?: unknown
  responses: Record<string, unknown>
  'x-role': RouteRole
}

type Whole = { openapiObject: { paths: Record<string, Record<string, Operation>> } }

/** The options of the OpenAPI document. */
export function documentOptions(
  version: string,
  summaries: Summaries,
): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'DCT Earning API',
        version,
        description:
          'Amounts are decimal strings in the unit of their asset. Errors are {message, code, details?}. ' +
          'Calls need the bearer token of POST /api/auth/login unless stated otherwise.',
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
        schemas: { Error: ErrorReply as object },
      },
    },
    transform: describeRole,
    transformObject: (document) => {
      // A copy, because the document refers to the schemas with which requests are validated.
      const { openapiObject } = structuredClone(document) as unknown as Whole
      for (const [path, operations] of Object.entries(openapiObject.paths)) {
        for (const [method, operation] of Object.entries(operations))
          complete(operation, { method, path, summaries })
      }
      showPatterns(openapiObject)
      return openapiObject as object
    },
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

/** Pages, files and the development chains behind this address are not API calls. */
function isDocumented(url: string): boolean {
  return url.startsWith('/api/') || url.startsWith('/devnet/')
}

/** Adds what is the same for every call: its id, its errors, and what its schema means for a caller. */
function complete(
  operation: Operation,
  { method, path, summaries }: { method: string; path: string; summaries: Summaries },
): void {
  operation.operationId = idOf(method, path)
  const summary = summaries[`${method.toUpperCase()} ${path}`]
  if (summary !== undefined) operation.summary = summary
  for (const parameter of operation.parameters ?? []) {
    if ('default' in parameter.schema) parameter.required = false
  }
  operation.responses = { ...operation.responses, ...errorsOf(operation) }
}

/** `GET /api/user/earnings/{code}/progress` is `getUserEarningsByCodeProgress`. */
function idOf(method: string, path: string): string {
  const words = path
    .replace(/^\/api\//, '')
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[/-]/)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The request is not valid; details may name the field.',
  401: 'There is no valid session, or no valid proof.',
  403: 'The role may not do this, or it first needs another step, which the code names.',
  413: 'The body is too large.',
  415: 'The body is not JSON in UTF-8.',
  429: 'Too many requests; Retry-After says when to try again.',
  500: 'A fault of the service. Nothing was changed.',
  503: 'Something that the service needs is not available; the code says whether anything was changed.',
  default: 'Any other refusal; its code says why.',
}

function errorsOf({ requestBody, 'x-role': role }: Operation) {
  const isMeant = (status: string) => {
    if (status === '401' || status === '403') return role !== 'public'
    return requestBody !== undefined || (status !== '413' && status !== '415')
  }
  const schema = { $ref: '#/components/schemas/Error' }
  return Object.fromEntries(
    Object.entries(REFUSALS)
      .filter(([status]) => isMeant(status))
      .map(([status, description]) => [
        status,
        { description, content: { 'application/json': { schema } } },
      ]),
  )
}

/** Shows the stricter pattern of a text whose mistakes the service explains itself. */
function showPatterns(schema: Schema): void {
  if (typeof schema['x-pattern'] === 'string') schema.pattern = schema['x-pattern']
  delete schema['x-pattern']
  for (const part of Object.values(schema)) {
    if (typeof part === 'object' && part !== null) showPatterns(part as Schema)
  }
}
