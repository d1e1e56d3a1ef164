import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { expect, test } from 'vitest'
import { type Schema, sampleOf } from '../../testing/api-document.ts'
import { columnNames } from '../../testing/database-state.ts'
import {
  at,
  collectOdd,
  expectUnchanged,
  NASTY_TEXTS,
  nameOf,
  turnOf,
  useProbe,
} from '../../testing/request-probe.ts'

const PATIENCE_MS = 180_000
const probe = useProbe(useChainHost())

const writesWithBody = () =>
  probe().routes.filter(({ method, body }) => method !== 'GET' && body !== undefined)

/** A body with every field, accepted by the schema. */
function fullBody(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOf(property)]),
  )
}

test('[T012] every write declares its fields and allows no others', () => {
  expect(writesWithBody().length).toBeGreaterThan(20)
  for (const route of writesWithBody()) {
    expect([nameOf(route), route.body?.type, route.body?.additionalProperties]).toEqual([
      nameOf(route),
      'object',
      false,
    ])
  }
})

const TEMPTING = [
  ...['role', 'is_admin', 'isAdmin', 'is_paid', 'state', 'status', 'user_id', 'id', 'created_at'],
  ...['referral_reward_percentage', 'reward_amount', 'approve_at', 'price', 'now_amount', 'staker'],
  ...['constructor', 'toString', '$where', ' role', 'ROLE', ''],
]

test(
  '[T012] every write refuses an unknown field by name, and changes nothing',
  async () => {
    const { odd, refused } = collectOdd()
    const columns = await columnNames(probe().real.context.db)
    expect(columns.length).toBeGreaterThan(150)
    await expectUnchanged(probe(), async () => {
      for (const [index, route] of writesWithBody().entries()) {
        const body = fullBody(route.body ?? {})
        const fields = [...TEMPTING, ...turnOf(columns, index)]
        for (const field of fields.filter((name) => !Object.hasOwn(body, name))) {
          const answer = await probe().send(
            at(route),
            JSON.stringify({ ...body, [field]: 'admin' }),
          )
          refused([nameOf(route), field], answer, { status: 400, code: 'UNKNOWN_FIELD' })
        }
      }
    })
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

test('[T012] a body cannot modify the prototype of objects', async () => {
  const { odd, refused } = collectOdd()
  await expectUnchanged(probe(), async () => {
    for (const route of writesWithBody()) {
      const inner = JSON.stringify(fullBody(route.body ?? {})).slice(1)
      const comma = inner === '}' ? '' : ','
      for (const poison of [
        '"__proto__":{"role":"admin"}',
        '"constructor":{"prototype":{"role":1}}',
      ]) {
        refused(
          [nameOf(route), poison],
          await probe().send(at(route), `{${poison}${comma}${inner}`),
          {
            status: 400,
          },
        )
      }
    }
  })
  expect(odd).toEqual([])
  expect(({} as Record<string, unknown>).role).toBeUndefined()
})

const NOT_OBJECTS = ['', '{', '[]', 'null', '"text"', '7', 'true', '{"a":1,}', '{"a":NaN}', '\0']
const DEEP = `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`

test('every write refuses bodies that are not JSON objects, and changes nothing', async () => {
  const { odd, refused } = collectOdd()
  await expectUnchanged(probe(), async () => {
    for (const route of writesWithBody()) {
      for (const body of [...NOT_OBJECTS, DEEP, Buffer.from([0xff, 0xfe, 0x00])]) {
        // A call with an optional body treats an empty one as missing.
        const isOptional = body === '' || body === 'null'
        const answer = await probe().send(at(route), body)
        if (isOptional && (route.body?.required ?? []).length === 0) continue
        refused([nameOf(route), body.slice(0, 20)], answer, { status: 400 })
      }
      const huge = JSON.stringify({ ...fullBody(route.body ?? {}), padding: 'x'.repeat(3_000_000) })
      refused([nameOf(route), 'huge'], await probe().send(at(route), huge), {
        status: 413,
        code: 'BODY_TOO_LARGE',
      })
      for (const type of ['text/plain', 'application/xml', 'multipart/form-data', 'nonsense']) {
        const answer = await probe().send(at(route), '{}', { 'content-type': type })
        refused([nameOf(route), type], answer, { status: 415, code: 'JSON_EXPECTED' })
      }
    }
  })
  expect(odd).toEqual([])
})

/** Values that a field of that type can never have. */
function wrongValues(schema: Schema): unknown[] {
  const types = new Set(
    [schema, ...(schema.anyOf ?? [])].flatMap(({ type, enum: choices }) => [
      ...(type === undefined ? [] : [type].flat()),
      ...(choices === undefined ? [] : ['string']),
    ]),
  )
  return [
    [{}, 'object'],
    [{ toString: 1 }, 'object'],
    [[], 'array'],
    [['x'], 'array'],
    [true, 'boolean'],
    ['x\0', 'number'],
    [-1.5, 'string'],
  ]
    .filter(([value, type]) =>
      type === 'string'
        ? !types.has('number') && !types.has('integer')
        : type === 'number'
          ? !types.has('string')
          : !types.has(type as string) && value !== undefined,
    )
    .map(([value]) => value)
}

test(
  'every write refuses values of another type in every field, and changes nothing',
  async () => {
    const { odd, refused } = collectOdd()
    await expectUnchanged(probe(), async () => {
      for (const route of writesWithBody()) {
        const body = fullBody(route.body ?? {})
        for (const [field, schema] of Object.entries(route.body?.properties ?? {})) {
          for (const value of wrongValues(schema)) {
            const answer = await probe().send(
              at(route),
              JSON.stringify({ ...body, [field]: value }),
            )
            refused([nameOf(route), field, value], answer, { status: 400 })
          }
        }
      }
    })
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

test(
  '[T031] odd texts in any field of any write never cause an internal error',
  async () => {
    const { odd, answered } = collectOdd()
    const calm = writesWithBody().filter(({ path }) => !path.startsWith('/devnet/'))
    for (const route of calm) {
      const body = fullBody(route.body ?? {})
      for (const field of Object.keys(route.body?.properties ?? {})) {
        for (const value of NASTY_TEXTS) {
          const answer = await probe().send(at(route), JSON.stringify({ ...body, [field]: value }))
          answered([nameOf(route), field, value.slice(0, 30)], answer)
        }
      }
    }
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)
