import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChainHost } from '@dct/devnet/chains/index'
import { startPostgres } from '@dct/local-services'
import { parseUnits } from '@dct/money'
import { ensureMoneySetting } from '../apps/server/src/modules/pricing/index.ts'
import { realClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/database/db.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'
import { settingsOf } from '../apps/server/src/testing/host-settings.ts'
import { FIRST_STAKE_DAY, fillAdminLists } from './admin-rows.ts'
import { count, duration, latency, ratio, speed } from './figures.ts'
import type { Load } from './http-load.ts'
import { recordStatements } from './http-record.ts'
import {
  askersOf,
  DASHBOARD_ROUTE,
  openSessions,
  POINT,
  POINT_PATH,
  ROUTES,
  type Route,
  tokenOf,
} from './http-world.ts'
import type { Report } from './results.ts'
import { generate, type Server, startBare, startProcess } from './servers.ts'

export type HttpBench = { rows: number; isQuick: boolean }

/** The size of an API process's database pool. */
const BARE_CONNECTIONS = 20
const CONNECTIONS = 32
const MORE_CONNECTIONS = [256, 2_000]
const PROCESSES = [2, 4]
/** The share of the saturating load at which no response may exceed the budget. */
const HALF = 0.5
/** The benchmark is a single caller that makes more calls than the rate limits allow. */
const UNLIMITED = { LIMIT_PER_MINUTE: '1000000', LIMIT_NETWORK: '10000' }

/**
 * Compares real API processes on a real PostgreSQL with a bare Fastify server that runs the same statements: calls per
 * second and latencies. A separate process on the same machine generates the load.
 */
export async function benchHttp(report: Report, bench: HttpBench): Promise<void> {
  await withProduct(bench.rows, async ({ dir, url, settings, stops }) => {
    const statements = await recordStatements(settings, bench.rows)
    const bare = await startBare(dir, {
      ...{ url, connections: BARE_CONNECTIONS },
      statements: { ...statements, [POINT_PATH]: [POINT] },
    })
    stops.push(bare.stop)
    const apis: Server[] = []
    for (let n = 0; n < (bench.isQuick ? 1 : Math.max(...PROCESSES)); n += 1) {
      const api = await startProcess('api', settings)
      apis.push(api)
      stops.push(api.stop)
    }
    await measureAll({ report, bench, servers: { bare: [bare], product: apis } })
  })
}

type Product = {
  dir: string
  /** The database. */
  url: string
  /** For processes of the product. */
  settings: Readonly<Record<string, string>>
  /** What to stop at the end, the newest first. */
  stops: (() => Promise<unknown>)[]
}

/** Runs some work on development chains and a database of holders with everything that their pages show. */
export async function withProduct(
  rows: number,
  work: (product: Product) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-bench-http-'))
  const stops: Product['stops'] = []
  try {
    const { url, ...postgres } = await startPostgres({
      dir: join(dir, 'db'),
      settings: { max_connections: '150' },
    })
    stops.push(postgres.stop)
    const host = await startChainHost({ dir: join(dir, 'chains') })
    stops.push(() => host.stop())
    await fillForCalls(url, rows)
    const settings = { ...settingsOf(host, { DATABASE_URL: url }), ...UNLIMITED }
    await work({ dir, url, settings, stops })
  } finally {
    for (const stop of stops.reverse()) await stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Fills the database, with sessions for those who make calls. */
async function fillForCalls(url: string, rows: number): Promise<void> {
  const db = openDatabase({ url, maxConnections: 2 })
  try {
    await migrate(db)
    await fillAdminLists(db, { rows, stakesFrom: FIRST_STAKE_DAY, isStakesOnly: false })
    await openSessions(db, rows)
    await ensureMoneySetting({ db, clock: realClock }, { name: 'price', value: parseUnits('1', 8) })
  } finally {
    await db.destroy()
  }
}

type Setting = {
  report: Report
  bench: HttpBench
  servers: { bare: readonly Server[]; product: readonly Server[] }
}

async function measureAll(setting: Setting): Promise<void> {
  const { bench } = setting
  for (const route of ROUTES.filter(({ name }) => !bench.isQuick || QUICK.includes(name))) {
    await measure(setting, route, { connections: CONNECTIONS, processes: 1 })
  }
  if (bench.isQuick) return
  for (const connections of MORE_CONNECTIONS) {
    for (const route of ROUTES) await measure(setting, route, { connections, processes: 1 })
  }
  for (const processes of PROCESSES) {
    await measure(setting, DASHBOARD_ROUTE, { connections: CONNECTIONS, processes })
  }
}

const QUICK = ['dashboard', 'signed-in user', 'health']

async function measure(
  { report, bench, servers }: Setting,
  route: Route,
  { connections, processes }: { connections: number; processes: number },
): Promise<void> {
  const load = {
    paths: route.paths,
    tokens: askersOf(route.asker, bench.rows).map(tokenOf),
    connections,
    seconds: bench.isQuick ? 3 : 6,
  }
  const product = servers.product.slice(0, processes)
  const run = async (
    those: readonly Server[],
    changes: Partial<typeof load> & { rate?: number },
  ) => {
    const measured = await generate(those, { ...load, ...changes })
    await untilIdle(those, load)
    return measured
  }
  await run(product, { seconds: 2 })
  await run(servers.bare, { seconds: 1 })
  const bare = await run(servers.bare, {})
  const point = await run(servers.bare, { paths: [POINT_PATH] })
  const full = await run(product, {})
  const half = await run(product, { rate: full.perSecond * HALF })
  const bareHalf = await run(servers.bare, { rate: bare.perSecond * HALF })
  const holders = `${bench.rows} holders, ${connections} connections, ${processes} processes`
  report(`${route.name}: ${holders}`, {
    'calls a second': speed(full.perSecond),
    'bare, calls a second': speed(bare.perSecond),
    'share of bare (0.6 or more)': ratio(full.perSecond / bare.perSecond, { wanted: 'more' }),
    'share of a bare point query (0.6 or more)': ratio(full.perSecond / point.perSecond, {
      wanted: 'more',
    }),
    'processor time a call, µs': duration(full.cpuUs),
    'bare, processor time a call, µs': duration(bare.cpuUs),
    'p50 / p99, ms': latency(full),
    'bare p50 / p99, ms': latency(bare),
    'at half the load, p50 / p99, ms': latency(half),
    'bare at half its load, p50 / p99, ms': latency(bareHalf),
    failed: count(full.failed + half.failed + bare.failed + bareHalf.failed, { wanted: 'less' }),
  })
}

/**
 * Waits until the servers have worked off the calls whose connections ended with the load; until then they would slow
 * down the next measurement, since all share one database. Calls queue, so the answer to another one shows it.
 */
async function untilIdle(
  servers: readonly Server[],
  { paths, tokens: [token] }: Pick<Load, 'paths' | 'tokens'>,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  for (const { port } of servers) {
    for (const path of paths) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      await response.arrayBuffer()
    }
  }
}
