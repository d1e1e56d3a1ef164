import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addDays, businessDayOf } from '../../platform/clock.ts'
import { type DescribedRoute, pathOf, type Schema, sampleOf } from '../../testing/api-document.ts'
import { nameOf, useProbe } from '../../testing/request-probe.ts'
import { SUMMARIES } from './summaries.ts'

const PATIENCE_MS = 180_000
const probe = useProbe(useChainHost())
const calls = () => probe().routes.filter(({ path }) => path.startsWith('/api/'))

type Operation = {
  operationId: string
  summary?: string
  parameters?: { in: string; required?: boolean; schema: { default?: unknown } }[]
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
type Document = { paths: Record<string, Record<string, Operation>> }

let document: Document
beforeAll(async () => {
  document = (await probe().real.app.inject('/api/openapi.json')).json()
})

test('the document is valid OpenAPI', async () => {
  expect(await new Validator().validate(document)).toEqual({ valid: true })
})

test('every operation has an id, a summary, its errors, and no required parameter with a default', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  )
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  expect(operations.map(({ name }) => name).toSorted()).toEqual(Object.keys(SUMMARIES).toSorted())
  const lacking = operations.filter(({ summary, responses, parameters = [] }) => {
    const hasErrors = ['400', '429', '500', '503', 'default'].every((status) =>
      JSON.stringify(responses[status])?.includes('#/components/schemas/Error'),
    )
    const hasSuccess = Object.keys(responses).some((status) => /^[23]/.test(status))
    return (
      !summary ||
      !hasErrors ||
      !hasSuccess ||
      parameters.some(({ required, schema }) => required === true && schema.default !== undefined)
    )
  })
  expect(lacking.map(({ name }) => name)).toEqual([])
  expect(JSON.stringify(document)).not.toContain('x-pattern')
})

/** The query that a route requires, with the given value for one of its parameters. */
function queryOf({ query }: DescribedRoute, given: Readonly<Record<string, string>> = {}): string {
  return query
    .filter(({ name, required }) => required === true || name in given)
    .map(
      ({ name, schema }) => `${name}=${encodeURIComponent(given[name] ?? `${sampleOf(schema)}`)}`,
    )
    .join('&')
}

/** The place of a schema in the document, as a reference. */
const placeOf = (...keys: string[]) =>
  `api#/${keys
    .map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')}`

test(
  'every answer to a reading call is one that the document describes',
  async () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(document, 'api')
    const day = addDays(businessDayOf(probe().real.context.clock.now()), -1)
    const close = { method: 'POST', path: `/api/admin/daily-closes/${day}`, role: 'admin' } as const
    expect(await probe().send(close)).toMatchObject({ status: 200 })
    const names = { ...probe().names, day }
    const odd: unknown[] = []
    const statuses = new Set<number>()
    for (const route of calls().filter(({ method }) => method === 'GET')) {
      const { statusCode, headers, body } = await probe().real.app.inject({
        url: `${pathOf(route, names)}?${queryOf(route)}`,
        headers: probe().headersOf(route.role),
      })
      statuses.add(statusCode)
      const responses = document.paths[route.path]?.get?.responses ?? {}
      const status = statusCode in responses ? `${statusCode}` : 'default'
      const type = `${headers['content-type']}`.split(';')[0] ?? ''
      const isDescribed =
        body === '' ? status !== 'default' : type in (responses[status]?.content ?? {})
      if (!isDescribed) odd.push([nameOf(route), statusCode, type, body.slice(0, 100)])
      if (!isDescribed || type !== 'application/json') continue
      const place = placeOf('paths', route.path, 'get', 'responses', status, 'content', type)
      const fits = ajv.compile({ $ref: `${place}/schema` })
      if (!fits(JSON.parse(body))) odd.push([nameOf(route), statusCode, fits.errors])
    }
    expect(odd).toEqual([])
    expect([...statuses]).toEqual(expect.arrayContaining([200, 302, 404]))
  },
  PATIENCE_MS,
)

type Text = Schema & { maxLength?: number }

/** Texts that fit what the document says about a field; undefined for fields that are not free texts. */
function fittingTexts(schema: Text): fc.Arbitrary<string> | undefined {
  const { type, pattern, format, minLength = 0, maxLength = 60 } = schema
  if (type !== 'string' || schema.enum !== undefined) return undefined
  if (format === 'date-time') return fc.date({ noInvalidDate: true, ...YEARS }).map(asText)
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'))
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(60, maxLength) })
}
const YEARS = { min: new Date('0001-01-01Z'), max: new Date('9999-12-31Z') }
const asText = (at: Date) => at.toISOString()

const DRAWS_PER_FIELD = 4

test(
  'no call refuses the form of a text that fits what the document says about it',
  async () => {
    const odd: unknown[] = []
    for (const route of calls()) {
      const { path, params, query, body } = route
      const sample = body === undefined ? undefined : (sampleOf(body) as Record<string, unknown>)
      const ofBody = Object.entries(body?.properties ?? {})
      const fields = [...params, ...query, ...ofBody.map(([name, schema]) => ({ name, schema }))]
      for (const { name, schema } of fields) {
        const texts = fittingTexts(schema)
        const drawn = texts && fc.sample(texts, { numRuns: DRAWS_PER_FIELD, seed: 28 })
        for (const text of drawn ?? []) {
          if (text === '' && path.includes(`{${name}}`)) continue
          const given = { [name]: text }
          const response = await probe().real.app.inject({
            method: route.method,
            url: `${pathOf(route, { ...probe().names, ...given })}?${queryOf(route, given)}`,
            headers: probe().headersOf(route.role),
            ...(sample === undefined
              ? {}
              : { payload: body?.properties?.[name] ? { ...sample, ...given } : sample }),
          })
          const { code, details } = response.statusCode === 400 ? response.json() : {}
          if (code === 'BAD_REQUEST' && details?.field === name)
            odd.push([nameOf(route), name, text, schema])
        }
      }
    }
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)
