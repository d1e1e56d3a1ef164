import { readFileSync } from 'node:fs'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import { openDatabase } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { devnet } from '../../testing/real-claims.ts'
import { bearer } from '../../testing/users.ts'
import { GAUGES } from './gauges.ts'
import { createMetrics } from './metrics.ts'
import { serveMetrics } from './serve-metrics.ts'

const FOLDER = new URL('../../../../../operations/', import.meta.url)
const host = useChainHost()
let real: RealApp
beforeAll(async () => {
  real = await startRealApp(host())
}, 120_000)
afterAll(() => real.stop())

const loops = [
  {
    ...{ name: 'one', isIdle: true, failures: 0, lastError: null },
    steps: { succeeded: 3, failed: 2 },
    succeededAt: new Date('2026-01-10T05:00:00Z'),
  },
]
const createOwn = () =>
  createMetrics({ context: real.context, role: 'worker', loopStatus: () => loops })
const lineOf = (text: string, start: string) =>
  text.split('\n').find((line) => line.startsWith(start))

test('metrics cover calls, loops, chains, funds, the audit and alarms, and each gauge has a value', async () => {
  await devnet(real, 'settle')
  const at = new Date('2026-01-10T05:00:00Z')
  await everything(real.context.db)
    .insertInto('audit_run')
    .values({
      ...{ is_full: true, started_at: at, finished_at: at, compared: 1n, differences: 0 },
      outcomes: JSON.stringify([]) as never,
    })
    .execute()
  const plan = await everything(real.context.db)
    .selectFrom('earning_plan')
    .select(['id', 'code'])
    .executeTakeFirstOrThrow()
  await everything(real.context.db)
    .insertInto('distribution_cursor')
    .values({ plan_id: plan.id, plan_code: plan.code, cycles: 360, through_day: '2026-01-10' })
    .execute()
  await sql`select record_backup('full')`.execute(real.context.db)
  await raiseAlarm(real.context.db, { kind: 'backup', subject: 'a', message: 'm', at })
  const metrics = createOwn()
  metrics.countCall({
    ...{ id: 'a', method: 'GET', route: '/api/user/me', status: 200, seconds: 0.2, user: 7n },
  })
  const text = await metrics.print()
  expect(text).toContain(
    'dct_http_request_duration_seconds_count{method="GET",route="/api/user/me",status="200"} 1',
  )
  expect(text).toContain('dct_loop_steps_total{loop="one",outcome="succeeded"} 3')
  expect(text).toContain('dct_loop_steps_total{loop="one",outcome="failed"} 2')
  expect(text).toContain('dct_process_up{role="worker"} 1')
  expect(text).toContain(`dct_daily_run_timestamp_seconds ${Date.UTC(2026, 0, 9, 17) / 1_000}`)
  const { host: bscNode } = new URL(host().bscUrl)
  expect(
    lineOf(text, `dct_node_requests_total{chain="BSC",node="${bscNode}",outcome="answered"}`),
  ).toMatch(/ [1-9]\d*$/)
  expect(text).toContain('dct_alarms_open{kind="backup",severity="warning"} 1')
  expect(lineOf(text, 'dct_funds{fund="operator_trx",asset="TRX"}')).toMatch(/ [1-9][\d.]*$/)
  const silent = Object.keys(GAUGES).filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text))
  expect(silent.filter((name) => name !== 'dct_jobs_due')).toEqual([])
})

test('names follow Prometheus’ conventions, and no label contains an address, a hash or an e-mail address', async () => {
  const text = await createOwn().print()
  const names = [...text.matchAll(/^# TYPE (dct_\w+) (\w+)$/gm)]
  expect(names.length).toBeGreaterThan(10)
  for (const [, name = '', type] of names) {
    expect(name).toMatch(/^dct(_[a-z]+)+$/)
    expect(name.endsWith('_total')).toBe(type === 'counter')
  }
  expect(text).not.toMatch(/="(0x)?[0-9a-fA-F]{20,}|="T[1-9A-HJ-NP-Za-km-z]{33}|="[^"]*@/)
})

test('every metric used by the dashboard or an alert rule exists', async () => {
  const text = await createOwn().print()
  const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
  const rules = parse(readFileSync(new URL('prometheus/alerts.yaml', FOLDER), 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[]
  }
  const dashboard = JSON.parse(readFileSync(new URL('grafana/dashboard.json', FOLDER), 'utf8')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const expressions = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  expect(expressions.length).toBeGreaterThan(30)
  const named = expressions.flatMap((expr) => expr.match(/\b(dct|nodejs|process)_\w+/g) ?? [])
  const unknown = named.filter((name) => !known.has(name.replace(/_(count|bucket|sum)$/, '')))
  expect(unknown).toEqual([])
})

test('metrics are served on a separate port that serves nothing else', async () => {
  const { config } = real.context
  const own = { ...real.context, config: { ...config, metrics: { host: '127.0.0.1', port: 0 } } }
  const server = await serveMetrics(own, 'worker', () => loops)
  const read = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
  const answer = await read('/metrics')
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/)
  expect(await answer.text()).toContain('dct_database_up 1')
  expect((await read('/api/health')).status).toBe(404)
  await server.stop()
  expect((await real.app.inject('/metrics')).headers['content-type']).not.toMatch(/version=/)
})

test('during a database outage the metrics report it and contain no outdated figures', async () => {
  const metrics = createOwn()
  expect(await metrics.print()).toContain('dct_chain_final_block{')
  const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', maxConnections: 1 })
  const broken = createMetrics({
    context: { ...real.context, db },
    role: 'worker',
    loopStatus: () => loops,
  })
  const text = await broken.print()
  await db.destroy()
  expect(text).toContain('dct_database_up 0')
  expect(text).not.toMatch(/^dct_(chain|audit|funds)/m)
})

test('a response contains the call’s id, and an id from outside is accepted only from a trusted proxy', async () => {
  const admin = await real.givenUser({ role: 'admin' })
  const answer = await real.app.inject({
    url: '/api/admin/health',
    headers: { ...bearer(admin), 'x-request-id': 'from-outside-1' },
  })
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
})

test('liveness and readiness do not depend on the chains', async () => {
  for (const path of ['/api/live', '/api/ready']) {
    const answer = await real.app.inject(path)
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
  }
})
