import { setTimeout as pause } from 'node:timers/promises'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { businessTimeOf } from '@dct/rules/business-day'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { inBatches } from '../../platform/database/batches.ts'
import type { DescribedRoute } from '../../testing/api-document.ts'
import { nameOf, useProbe } from '../../testing/request-probe.ts'

const PATIENCE_MS = 180_000
const probe = useProbe(useChainHost())
const db = () => probe().real.context.db

const routes = (method = 'GET') => probe().routes.filter((route) => route.method === method)
const files = () => lists().filter(({ query }) => query.some(({ name }) => name === 'format'))
const lists = () => routes().filter(({ query }) => query.some(({ name }) => name === 'page'))

/** Admin lists that cannot be downloaded, because they are not worth it. */
const WITHOUT_FILE = new Set([
  '/api/admin/ledger-audits',
  '/api/admin/daily-closes',
  '/api/admin/money-settings-history',
])

/** Parses CSV strictly by RFC 4180. */
function parse(text: string): string[][] {
  expect(text.startsWith('\ufeff')).toBe(true)
  const rows: string[][] = []
  let row: string[] = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  cell.lastIndex = 1
  while (cell.lastIndex < text.length) {
    const [, content = '', end = ''] = cell.exec(text) ?? []
    expect(end).not.toBe('')
    row.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content)
    if (end === '\r\n') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

/** A cell of a value; files show instants in business time. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[\d-]+T[\d:.]+Z$/.test(text) ? `${businessTimeOf(new Date(text))} UTC+7` : text
}

type Json = Record<string, unknown>
const rowsOf = (answer: Json) => (Object.values(answer).find(Array.isArray) ?? []) as Json[]

/** Expects that the file and the list of one query contain the same rows in the same order. */
async function expectSame(file: DescribedRoute, query: string): Promise<number> {
  const asFile = await probe().ask(file, `${query}&format=csv`)
  const asList = await probe().ask(file, `${query}&page=1&limit=100`)
  expect([nameOf(file), query, asFile.status]).toEqual([nameOf(file), query, 200])
  const [columns = [], ...lines] = parse(asFile.text)
  const rows = rowsOf(JSON.parse(asList.text))
  expect(columns.length).toBeGreaterThan(2)
  const wanted = rows.map((row) => columns.map((column) => cellOf(row[column])))
  expect([nameOf(file), query, lines]).toEqual([nameOf(file), query, wanted])
  return rows.length
}

test('every admin list can be downloaded as a file', () => {
  const ofAdmins = lists().filter(({ role }) => role === 'admin')
  const wanted = ofAdmins.map(({ path }) => path).filter((path) => !WITHOUT_FILE.has(path))
  expect(
    files()
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(wanted.toSorted())
  expect(files().every(({ role }) => role === 'admin')).toBe(true)
})

test(
  'a file contains the rows of its list, in every order',
  async () => {
    let rows = 0
    for (const file of files()) {
      const sorts = file.query.find(({ name }) => name === 'sort_by')?.schema.enum ?? []
      expect(sorts.length).toBeGreaterThan(0)
      for (const sort of sorts) {
        for (const order of ['asc', 'desc'])
          rows += await expectSame(file, `sort_by=${sort}&sort_order=${order}`)
      }
    }
    expect(rows).toBeGreaterThan(100)
  },
  PATIENCE_MS,
)

test('filters apply to a file as to its list', async () => {
  const at = (path: string) => files().filter((file) => file.path === `/api/admin/${path}`)
  const [rewards] = at('reward-distribution-history')
  const [claims] = at('claim-history')
  const [users] = at('users')
  if (rewards === undefined || claims === undefined || users === undefined) throw new Error('gone')
  const { business_date: today } = (await probe().real.app.inject('/api/config')).json()
  expect(await expectSame(rewards, `start_date=${today}&end_date=${today}`)).toBe(1)
  expect(await expectSame(rewards, 'earning_plan_code=PLAN-720')).toBe(0)
  expect(await expectSame(rewards, 'earning_plan_code=PLAN-360')).toBeGreaterThan(5)
  expect(await expectSame(claims, 'search=PLAN-360')).toBe(1)
  expect(await expectSame(claims, 'end_date=2020-01-01')).toBe(0)
  expect(await expectSame(users, 'search=nobody@')).toBe(0)
  expect(await expectSame(users, 'search=holder@example.com')).toBeGreaterThan(0)
})

test('a file is named after its list and day, and no browser renders it', async () => {
  const { app } = probe().real
  const { body: me } = await app.inject('/api/config')
  const [file] = files()
  if (file === undefined) throw new Error('no file was returned')
  const token = await adminToken()
  const answer = await app.inject({
    url: '/api/admin/users?format=csv',
    headers: { authorization: `Bearer ${token}` },
  })
  const { business_date: today } = JSON.parse(me)
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="users-${today}.csv"`)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
})

async function adminToken(): Promise<string> {
  return (await probe().real.givenUser({ role: 'admin' })).token
}

test('a query that the list refuses is refused before a file begins', async () => {
  for (const file of files()) {
    for (const query of ['format=xls', 'sort_by=nothing', 'role=admin']) {
      const answer = await probe().ask(file, `format=csv&${query}`)
      expect([nameOf(file), query, answer.status]).toEqual([nameOf(file), query, 400])
      expect(answer.code).toEqual(expect.any(String))
    }
    if (!file.query.some(({ name }) => name === 'start_date')) continue
    const backwards = await probe().ask(
      file,
      'start_date=2026-02-02&end_date=2026-02-01&format=csv',
    )
    expect([nameOf(file), backwards.code]).toEqual([nameOf(file), 'BAD_DATE'])
  }
})

test('user input cannot act as a formula', async () => {
  const email = '=cmd|calc!a1@example.org'
  await probe().real.givenUser({ email })
  const users = files().find(({ path }) => path === '/api/admin/users')
  if (users === undefined) throw new Error('gone')
  const [columns = [], ...lines] = parse(
    (await probe().ask(users, 'sort_by=created_at&format=csv')).text,
  )
  expect(lines.map((line) => line[columns.indexOf('email')])).toContain(`'${email}`)
})

const numbers = () =>
  inBatches(db(), {
    queries: (tx) => [
      sql<{ n: number }>`select n from generate_series(1, ${2_345}::int) n order by n`.compile(tx),
      sql<{ n: number }>`select 0 as n where false`.compile(tx),
      sql<{ n: number }>`select 7 as n`.compile(tx),
    ],
    describe: (_tx, rows: readonly { n: number }[]) => rows.map(({ n }) => n),
  })

const openTransactions = async () => {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from pg_stat_activity where datname = current_database()
      and state = 'idle in transaction'`.execute(db())
  return Number(rows[0]?.count)
}
afterEach(async () => {
  for (let tries = 0; (await openTransactions()) > 0 && tries < 100; tries += 1) await pause(20)
  expect(await openTransactions()).toBe(0)
})

test('batches continue to the last row, query by query', async () => {
  const sizes: number[] = []
  const all: number[] = []
  for await (const batch of numbers()) {
    sizes.push(batch.length)
    all.push(...batch)
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
  expect(all).toEqual([...Array.from({ length: 2_345 }, (_, index) => index + 1), 7])
})

test('a reader that stops midway leaves no open transaction', async () => {
  for await (const batch of numbers()) {
    expect(batch).toHaveLength(500)
    break
  }
  expect(await openTransactions()).toBe(0)
})

test('the number of concurrent files is limited, and an abandoned one frees its slot', async () => {
  const open = [numbers(), numbers(), numbers(), numbers()]
  for (const one of open) await one.next()
  await expect(numbers().next()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await open[0]?.return(undefined)
  const next = numbers()
  expect((await next.next()).value).toHaveLength(500)
  for (const one of [...open, next]) await one.return(undefined)
})

test('an aborted download frees its slot immediately', async () => {
  const { app, givenUser } = probe().real
  const admin = await givenUser({ role: 'admin' })
  // More than fits into the buffers between the service and a stalled reader.
  const rows = 60_000
  await sql`
    insert into admin_log (admin_id, action, subject, after, at)
      select ${admin.id}, 'test', repeat('x', 200), '{}', now() from generate_series(1, ${rows}::int)`.execute(
    db(),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${admin.token}` }
  const leaving = new AbortController()
  const reply = await fetch(`${url}/api/admin/log?action=test&format=csv`, {
    headers,
    signal: leaving.signal,
  })
  expect(reply.status).toBe(200)
  await expect.poll(openTransactions, { timeout: 20_000 }).toBe(1)
  leaving.abort()
  await expect.poll(openTransactions, { timeout: 20_000 }).toBe(0)
  const whole = await fetch(`${url}/api/admin/log?action=test&format=csv`, { headers })
  expect((await whole.text()).trimEnd().split('\r\n')).toHaveLength(rows + 1)
})
