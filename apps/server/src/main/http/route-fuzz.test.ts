import { ERRORS } from '@dct/api-contract/errors'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DescribedRoute, Schema } from '../../testing/api-document.ts'
import { collectOdd, NASTY_TEXTS, nameOf, useProbe } from '../../testing/request-probe.ts'
import { watchChanges } from '../../testing/watch-changes.ts'

// Of the tools that draw requests from an OpenAPI document, the well-kept ones are programs of other ecosystems. This
// takes fast-check, which the tests use anyway: its draws can be repeated, and it sends requests without a socket.
const DRAWS_PER_CALL = 14
const SEED = 28
const PATIENCE_MS = 300_000
const probe = useProbe(useChainHost())

const JSON_VALUE = fc.oneof(
  ...[fc.constant(null), fc.boolean(), fc.double(), fc.constantFrom(...NASTY_TEXTS)],
  ...[fc.constant([]), fc.constant({}), fc.constant([null]), fc.constant({ toString: 1 })],
)

/** Mostly values that the schema accepts, at its bounds above all, and some that it must refuse. */
function drawOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: likely(schema) }, { weight: 1, arbitrary: JSON_VALUE })
}

function likely(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(drawOf))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const [type] = [schema.type ?? 'string'].flat()
  if (type === 'object') return objectOf(schema)
  if (type === 'array') return fc.array(drawOf(schema.items ?? {}), { maxLength: 3 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') return numberOf(schema)
  return textOf(schema)
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, drawOf(property)]),
  )
  const known = fc.record(fields, { requiredKeys: required })
  const without = fc.record(fields, { requiredKeys: [] })
  const strange = fc.dictionary(fc.constantFrom('id', 'role', '__proto__', '', 'ROLE'), JSON_VALUE)
  const more = fc.tuple(known, strange).map(([one, other]) => ({ ...one, ...other }))
  return fc.oneof({ weight: 6, arbitrary: known }, without, more)
}

function numberOf({ minimum = 0, maximum = 1_000 }: Schema & { maximum?: number }) {
  const edges = [minimum, minimum - 1, maximum, maximum + 1, 0.5, 2 ** 53, -(2 ** 63), 1e308]
  return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(...edges))
}

/** Of existing things and of no others. */
const KNOWN_TEXTS = [
  'PLAN-360',
  'plan-360',
  '1',
  '10',
  'HALF',
  '2026-01-01',
  '0001-01-01',
  '9999-12-31',
]

function textOf({ pattern }: Schema): fc.Arbitrary<string> {
  const fitting =
    pattern === undefined
      ? fc.string({ maxLength: 40 })
      : fc.stringMatching(new RegExp(pattern, 'u'))
  return fc.oneof(
    ...[
      { weight: 3, arbitrary: fitting },
      { weight: 3, arbitrary: fc.constantFrom(...KNOWN_TEXTS) },
    ],
    ...[fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: 'binary', maxLength: 40 })],
  )
}

function requestOf(route: DescribedRoute) {
  const values = (some: DescribedRoute['query']) =>
    fc.record(Object.fromEntries(some.map(({ name, schema }) => [name, drawOf(schema)])))
  const optional = (some: DescribedRoute['query']) =>
    fc.record(Object.fromEntries(some.map(({ name, schema }) => [name, drawOf(schema)])), {
      requiredKeys: [],
    })
  const body = route.body === undefined ? fc.constant(undefined) : drawOf(route.body)
  return fc.tuple(values(route.params), optional(route.query), body).map(([path, query, body]) => ({
    path: route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(path[name])),
    query: Object.entries(query)
      .map(([name, value]) => `${name}=${encoded(value)}`)
      .join('&'),
    body: body === undefined ? undefined : JSON.stringify(body),
  }))
}

/** Halves of characters have no encoding in an address. */
function encoded(value: unknown): string {
  return encodeURIComponent(
    `${typeof value === 'string' ? value : JSON.stringify(value)}`.toWellFormed(),
  )
}

/** These end the sessions with which the others are called, so they come last. */
const ENDS_SESSIONS = /\/auth\/|\/sessions/

test(
  'whatever is drawn from the OpenAPI document: no internal error, each refusal in the one form, and no change by it',
  async () => {
    const { real, routes, send } = probe()
    const calls = routes.filter(({ path }) => path.startsWith('/api/'))
    calls.sort((a, b) => Number(ENDS_SESSIONS.test(a.path)) - Number(ENDS_SESSIONS.test(b.path)))
    const changes = await watchChanges(real.context.db)
    const { odd, answered } = collectOdd()
    const statuses = new Map<number, number>()
    for (const route of calls) {
      for (const { path, query, body } of fc.sample(requestOf(route), {
        numRuns: DRAWS_PER_CALL,
        seed: SEED,
      })) {
        const target = { ...route, path: query === '' ? path : `${path}?${query}` }
        const answer = await send(target, body)
        const changed = await changes.take()
        const what = [nameOf(target), body?.slice(0, 300)]
        answered(what, answer)
        if (answer.status >= 400 && !((answer.code as string) in ERRORS)) odd.push([what, answer])
        if (answer.status >= 400 && changed.length > 0) odd.push([what, answer.text, changed])
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    }
    expect(odd).toEqual([])
    // Not only refusals at the door.
    for (const status of [200, 400, 404, 409])
      expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0])
    expect(statuses.get(200)).toBeGreaterThan(calls.length)
  },
  PATIENCE_MS,
)
