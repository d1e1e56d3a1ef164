import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChainHost } from '@dct/devnet/chains/index'
import { type GuardedProcess, startGuarded, startPostgres } from '@dct/local-services'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import { parseUnits } from '@dct/money'
import { ensurePrice } from '../apps/server/src/modules/pricing/set-price.ts'
import { realClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/db.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { settingsOf } from '../apps/server/src/testing/host-settings.ts'
import { fillAdminLists } from './admin-rows.ts'
import type { BareOptions } from './http-bare.ts'
import type { Load, Measured } from './http-load.ts'
import { recordStatements } from './http-record.ts'
import {
  askersOf,
  DASHBOARD_ROUTE,
  openSessions,
  ROUTES,
  type Route,
  tokenOf,
} from './http-world.ts'
import type { Report } from './support.ts'

export type HttpBench = { rows: number; isQuick: boolean; routes?: readonly string[] }

const HERE = import.meta.dirname
const API = join(HERE, '../apps/server/src/main/api.ts')
const RESULT = join(HERE, '../.cache/bench-http.json')
/** The size of an API process's database pool. */
const BARE_CONNECTIONS = 20
const CONNECTIONS = 32
const MORE_CONNECTIONS = [256, 2_000]
const PROCESSES = [2, 4]
/** The share of the saturating load at which no response may exceed the budget. */
const HALF = 0.5
const UNLIMITED = { LIMIT_READ: '1000000', LIMIT_NETWORK: '10000' }

export type HttpResult = {
  machine: { cpu: string; cores: number; memoryGb: number; node: string }
  holders: number
  rows: Row[]
}
type Row = {
  route: string
  connections: number
  processes: number
  product: Figures
  bare: Figures
  half: Figures
}
/** Includes the servers' CPU time per call in microseconds, which other load on the machine distorts less. */
type Figures = Measured & { cpuUs: number }

/**
 * Compares real API processes on a real PostgreSQL with a bare Fastify server that runs the same statements: calls per
 * second and latencies. A separate process on the same machine generates the load.
 */
export async function benchHttp(report: Report, bench: HttpBench): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-bench-http-'))
  const stops: (() => Promise<unknown>)[] = []
  try {
    const postgres = await startPostgres({
      dir: join(dir, 'db'),
      settings: { max_connections: '150' },
    })
    stops.push(() => postgres.stop())
    const host = await startChainHost({ dir: join(dir, 'chains') })
    stops.push(() => host.stop())
    await fill(postgres.url, bench.rows)
    const settings = { ...settingsOf(host, postgres.url), ...UNLIMITED, LOG_LEVEL: 'info' }
    const statements = await recordStatements(settings, ROUTES, bench.rows)
    const bare = await startBare(dir, {
      url: postgres.url,
      connections: BARE_CONNECTIONS,
      statements,
    })
    stops.push(bare.stop)
    const apis = []
    for (let n = 0; n < Math.max(...PROCESSES); n += 1) {
      if (n > 0 && bench.isQuick) break
      apis.push(await startApi(settings))
      stops.push(apis.at(-1)?.stop ?? (async () => undefined))
    }
    const rows = await measureAll({ report, bench, servers: { bare: [bare], product: apis } })
    writeResult({ machine: machine(), holders: bench.rows, rows })
  } finally {
    for (const stop of stops.reverse()) await stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function fill(url: string, rows: number): Promise<void> {
  const db = openDatabase({ url, maxConnections: 2 })
  try {
    await migrate(db)
    await fillAdminLists(db, rows)
    await openSessions(db, rows)
    await ensurePrice({ db, clock: realClock }, parseUnits('1', 8))
  } finally {
    await db.destroy()
  }
}

type Setting = {
  report: Report
  bench: HttpBench
  servers: { bare: readonly Server[]; product: readonly Server[] }
}

async function measureAll(setting: Setting): Promise<Row[]> {
  const { bench } = setting
  const chosen = bench.routes ?? (bench.isQuick ? QUICK : ROUTES.map(({ name }) => name))
  const rows: Row[] = []
  for (const route of ROUTES.filter(({ name }) => chosen.includes(name))) {
    rows.push(await measure(setting, route, { connections: CONNECTIONS, processes: 1 }))
  }
  if (bench.isQuick) return rows
  for (const connections of MORE_CONNECTIONS) {
    rows.push(await measure(setting, DASHBOARD_ROUTE, { connections, processes: 1 }))
  }
  for (const processes of PROCESSES) {
    rows.push(await measure(setting, DASHBOARD_ROUTE, { connections: CONNECTIONS, processes }))
  }
  return rows
}

const QUICK = ['dashboard', 'signed-in user', 'health']

async function measure(
  { report, bench, servers }: Setting,
  route: Route,
  { connections, processes }: { connections: number; processes: number },
): Promise<Row> {
  const load = {
    paths: route.paths,
    tokens: askersOf(route.asker, bench.rows).map(tokenOf),
    connections,
    seconds: bench.isQuick ? 3 : 6,
  }
  const product = servers.product.slice(0, processes)
  await generate(product, { ...load, seconds: 2 })
  await generate(servers.bare, { ...load, seconds: 1 })
  const bare = await generate(servers.bare, load)
  const full = await generate(product, load)
  const half = await generate(product, { ...load, rate: full.perSecond * HALF })
  const row = { route: route.name, connections, processes, product: full, bare, half }
  report(`${route.name}: ${connections} connections, ${processes} processes`, {
    'calls a second': full.perSecond.toFixed(0),
    'bare, calls a second': bare.perSecond.toFixed(0),
    'share of bare (0.6 or more)': (full.perSecond / bare.perSecond).toFixed(2),
    'processor time a call, µs': full.cpuUs.toFixed(0),
    'bare, processor time a call, µs': bare.cpuUs.toFixed(0),
    'p50 / p99, ms': `${full.p50} / ${full.p99}`,
    'bare p50 / p99, ms': `${bare.p50} / ${bare.p99}`,
    'at half the load, p50 / p99, ms': `${half.p50} / ${half.p99}`,
    failed: `${full.failed + half.failed + bare.failed}`,
  })
  return row
}

async function generate(servers: readonly Server[], load: Omit<Load, 'ports'>): Promise<Figures> {
  const args = [join(HERE, 'http-load.ts'), JSON.stringify({ ...load, ports: portsOf(servers) })]
  const before = processorSeconds(servers)
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const spent = processorSeconds(servers) - before
  const measured = JSON.parse(stdout) as Measured
  return { ...measured, cpuUs: (spent * 1e6) / (measured.perSecond * load.seconds) }
}

const portsOf = (servers: readonly Server[]) => servers.map(({ port }) => port)
/** Linux counts CPU time in hundredths of a second. */
const TICKS = 100

/** The CPU time used by these processes so far; NaN on systems other than Linux. */
function processorSeconds(servers: readonly Server[]): number {
  if (process.platform !== 'linux') return Number.NaN
  const ticks = servers.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS
}

type Server = { port: number; pid: number | undefined; stop: () => Promise<unknown> }

async function startApi(settings: Readonly<Record<string, string>>): Promise<Server> {
  const port = await portForLater()
  const env = { ...process.env, ...settings, PORT: `${port}` }
  const profile = process.env.BENCH_PROFILE
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  return { port, ...(await startServer([...flags, API], env)) }
}

async function startBare(dir: string, options: Omit<BareOptions, 'port'>): Promise<Server> {
  const port = await portForLater()
  const file = join(dir, 'bare.json')
  writeFileSync(file, JSON.stringify({ ...options, port }))
  return { port, ...(await startServer([join(HERE, 'http-bare.ts'), file], process.env)) }
}

/** Resolves when the process reports that it is listening. */
async function startServer(args: string[], env: NodeJS.ProcessEnv) {
  const lines: string[] = []
  let heard = () => {}
  const listening = new Promise<'listening'>((resolve) => {
    heard = () => resolve('listening')
  })
  const child: GuardedProcess = startGuarded({
    command: process.execPath,
    args,
    env,
    onOutput(line) {
      lines.push(line)
      if (line.includes('listening')) heard()
    },
  })
  const first = await Promise.race([listening, child.exited])
  if (first !== 'listening') throw new Error(`a server did not start:\n${lines.join('\n')}`)
  return { pid: child.pid, stop: () => child.stop('SIGTERM') }
}

function machine(): HttpResult['machine'] {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
}

function writeResult(result: HttpResult): void {
  mkdirSync(join(RESULT, '..'), { recursive: true })
  writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`)
}
