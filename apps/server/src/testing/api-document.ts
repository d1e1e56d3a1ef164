import type { App } from '../platform/http/http.ts'
import type { RouteRole } from '../platform/http/route-rules.ts'

/** The subset of JSON Schema that describes the requests. */
export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  items?: Schema
  pattern?: string
  format?: string
  minimum?: number
  minLength?: number
  default?: unknown
  examples?: unknown[]
}

type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Operation = {
  'x-role': RouteRole
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }>; required?: boolean }
}

export type DescribedRoute = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for its parameters. */
  path: string
  role: RouteRole
  query: Parameter[]
  params: Parameter[]
  body: Schema | undefined
}

/** Every operation of the API, from its OpenAPI document. */
export async function describedRoutes(app: App): Promise<DescribedRoute[]> {
  const document: { paths: Record<string, Record<string, Operation>> } = (
    await app.inject('/api/openapi.json')
  ).json()
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const ofKind = (kind: string) => operation.parameters?.filter((one) => one.in === kind) ?? []
      return {
        method: method.toUpperCase() as DescribedRoute['method'],
        path,
        role: operation['x-role'],
        query: ofKind('query'),
        params: ofKind('path'),
        body: operation.requestBody?.content['application/json']?.schema,
      }
    }),
  )
}

/** The path of a route with its parameters filled in. */
export function pathOf(route: DescribedRoute, values: Record<string, string> = {}): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? `${sampleOf(paramSchema(route, name))}`),
  )
}

function paramSchema({ params }: DescribedRoute, name: string): Schema {
  return params.find((one) => one.name === name)?.schema ?? { type: 'string' }
}

const TEXTS = [
  'x',
  '1',
  'PLAN-NONE',
  'FULL',
  '2026-01-01',
  'somebody@example.org',
  `0x${'0'.repeat(63)}1`,
  `0x${'0'.repeat(39)}1`,
  '0'.repeat(64),
]

/** A value that the schema accepts but that refers to nothing that exists. */
export function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {})
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, property]) => [name, sampleOf(property)]),
    )
  }
  if (type === 'array') return [sampleOf(schema.items ?? {})]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  return sampleText(schema)
}

function sampleText({ pattern, minLength = 0, examples = [] }: Schema): string {
  const fits = (text: string) =>
    text.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(text))
  const found = [...TEXTS, ...examples.map(String), 'x'.repeat(minLength)].find(fits)
  if (found === undefined) throw new Error(`no text matches ${pattern}: give the schema an example`)
  return found
}
