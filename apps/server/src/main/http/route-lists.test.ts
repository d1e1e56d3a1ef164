import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { expect, test } from 'vitest'
import { everything } from '../../testing/all-tables.ts'
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

const lists = () =>
  probe().routes.filter(
    ({ method, query }) => method === 'GET' && query.some(({ name }) => name === 'page'),
  )

test('every list has the same envelope', async () => {
  expect(lists().length).toBeGreaterThan(12)
  for (const route of lists()) {
    const answer = await probe().ask(route, 'page=1&limit=100')
    expect([nameOf(route), answer.status, answer.text]).toEqual([nameOf(route), 200, answer.text])
    expect(JSON.parse(answer.text)).toMatchObject({
      total: expect.any(Number),
      totalPages: expect.any(Number),
      page: 1,
      limit: 100,
    })
  }
})

const BAD_NUMBERS = ['-1', '0', '1.5', '1e9', '9223372036854775808', 'abc', '', '1;drop', '%00']

const INJECTIONS = [
  'id;DROP TABLE app_user',
  '(select 1)',
  "created_at' --",
  'constructor',
  '__proto__',
  '1',
  '',
  'id,created_at',
]

test(
  '[T090] a list can only be sorted by its own columns, and only ascending or descending',
  async () => {
    const { odd, refused } = collectOdd()
    const columns = await columnNames(probe().real.context.db)
    await expectUnchanged(probe(), async () => {
      for (const [index, route] of lists().entries()) {
        const allowed = new Set(route.query.find(({ name }) => name === 'sort_by')?.schema.enum)
        if (allowed.size === 0) continue
        for (const name of [...INJECTIONS, ...turnOf(columns, index)].filter(
          (one) => one !== '' && !allowed.has(one),
        )) {
          const answer = await probe().ask(route, `sort_by=${encodeURIComponent(name)}`)
          refused([nameOf(route), name], answer, { status: 400, code: 'BAD_SORT' })
        }
        for (const order of ['asc--', 'random', 'asc,desc', 'desc nulls last']) {
          const answer = await probe().ask(route, `sort_order=${encodeURIComponent(order)}`)
          refused([nameOf(route), order], answer, { status: 400 })
        }
      }
    })
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

test('an empty parameter means the default, and the order may be in upper case', async () => {
  const odd: unknown[] = []
  for (const route of lists()) {
    const has = (name: string) => route.query.some((parameter) => parameter.name === name)
    const given = ['sort_by', 'search', 'start_date', 'earning_plan_code', 'is_paid'].filter(has)
    const queries = [given.map((name) => `${name}=`).join('&')]
    if (has('sort_order')) queries.push('sort_order=DESC', 'sort_order=')
    if (has('start_date')) queries.push('start_date=2026-01-01T00:00:00.000Z')
    for (const query of queries) {
      const { status, text } = await probe().ask(route, query)
      if (status !== 200) odd.push([nameOf(route), query, status, text.slice(0, 200)])
    }
  }
  expect(odd).toEqual([])
})

test('[T090] a list can be sorted by each of its columns in both directions', async () => {
  const odd: unknown[] = []
  for (const route of lists()) {
    const names = route.query.find(({ name }) => name === 'sort_by')?.schema.enum ?? []
    for (const name of names) {
      for (const order of ['asc', 'desc']) {
        const { status, text } = await probe().ask(route, `sort_by=${name}&sort_order=${order}`)
        if (status !== 200) odd.push([nameOf(route), name, order, status, text.slice(0, 200)])
      }
    }
  }
  expect(odd).toEqual([])
})

test('[T091] every list refuses invalid pages and limits', async () => {
  const { odd, refused } = collectOdd()
  for (const route of lists()) {
    for (const field of ['page', 'limit']) {
      for (const value of field === 'limit' ? [...BAD_NUMBERS, '101'] : BAD_NUMBERS) {
        refused([nameOf(route), field, value], await probe().ask(route, `${field}=${value}`), {
          status: 400,
        })
      }
      refused([nameOf(route), field, 'twice'], await probe().ask(route, `${field}=1&${field}=2`), {
        status: 400,
      })
      refused([nameOf(route), field, 'nested'], await probe().ask(route, `${field}[a]=1`), {
        status: 400,
      })
    }
    refused([nameOf(route), 'far'], await probe().ask(route, 'page=100000&limit=100'), {
      status: 400,
    })
    refused([nameOf(route), 'unknown'], await probe().ask(route, 'role=admin'), {
      status: 400,
      code: 'UNKNOWN_FIELD',
    })
  }
  expect(odd).toEqual([])
})

/** Parameters that the schema restricts to numbers and enumerations; other tests cover them. */
const HELD_BY_SCHEMA = new Set(['page', 'limit', 'sort_by', 'sort_order'])

const BAD_DAYS = [
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '01-01-2026',
  'yesterday',
  '٢٠٢٦-٠١-٠١',
  "2026'--",
  '2026-01-01T25:00:00Z',
]

test('[T091] every list refuses invalid days and reversed ranges', async () => {
  const { odd, refused } = collectOdd()
  const ranged = lists().filter(({ query }) => query.some(({ name }) => name === 'start_date'))
  expect(ranged.length).toBeGreaterThan(8)
  for (const route of ranged) {
    for (const field of ['start_date', 'end_date']) {
      for (const day of BAD_DAYS) {
        const answer = await probe().ask(route, `${field}=${encodeURIComponent(day)}`)
        refused([nameOf(route), field, day], answer, { status: 400 })
      }
    }
    for (const range of ['2026-02-02..2026-02-01', '0001-01-01..9999-12-31']) {
      const [from, to] = range.split('..')
      const answer = await probe().ask(route, `start_date=${from}&end_date=${to}`)
      refused([nameOf(route), range], answer, { status: 400, code: 'BAD_DATE' })
    }
  }
  expect(odd).toEqual([])
})

test(
  '[T090, T091] odd texts in any query or path never cause an internal error',
  async () => {
    const { odd, answered, refused } = collectOdd()
    const texts = NASTY_TEXTS.map((text) => text.slice(0, 2_000).toWellFormed())
    await expectUnchanged(probe(), async () => {
      for (const route of probe().routes.filter(({ method }) => method === 'GET')) {
        for (const { name } of route.query.filter((one) => !HELD_BY_SCHEMA.has(one.name))) {
          for (const text of [...texts, '%', '_', '\\', '%%%%%%%%']) {
            const answer = await probe().ask(route, `${name}=${encodeURIComponent(text)}`)
            answered([nameOf(route), name, text.slice(0, 30)], answer)
          }
          refused(
            [nameOf(route), name, 'long'],
            await probe().ask(route, `${name}=${'x'.repeat(5_000)}`),
          )
          answered(
            [nameOf(route), name, 'broken'],
            await probe().ask(route, `${name}=%zz%ed%a0%80`),
          )
        }
      }
      for (const route of probe().routes) {
        for (const { name } of route.params) {
          for (const text of [...texts, '0', '-1', '9223372036854775808', '1.0', ' ']) {
            const answer = await probe().send(at(route, { [name]: text }))
            answered([nameOf(route), name, text.slice(0, 30)], answer)
          }
        }
      }
    })
    expect(odd).toEqual([])
  },
  PATIENCE_MS,
)

test('malformed and unknown paths are refused in the usual error format', async () => {
  const { odd, refused } = collectOdd()
  const paths = [
    '/api',
    '/api/',
    '/api/%zz',
    '/api/nowhere',
    '/api/user/%00',
    '/api//',
    '/devnet/x',
  ]
  for (const path of [...paths, `/api/${'x'.repeat(4_000)}`]) {
    for (const method of ['GET', 'POST', 'DELETE'])
      refused([method, path], await probe().send({ method, path }))
  }
  expect(odd).toEqual([])
})

test('an internal error is reported without revealing internals', async () => {
  const { db } = probe().real.context
  await everything(db).schema.alterTable('earning_plan').renameTo('earning_plan_gone').execute()
  try {
    const answer = await probe().send({
      method: 'GET',
      path: '/api/user/earning-plans',
      role: 'user',
    })
    expect(answer).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(answer.text).not.toMatch(/earning_plan|relation|select|\.ts/)
  } finally {
    await everything(db).schema.alterTable('earning_plan_gone').renameTo('earning_plan').execute()
  }
})
