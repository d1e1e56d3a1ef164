import { setTimeout as pause } from 'node:timers/promises'
import { megabytes, ratio, share } from './figures.ts'
import { withProduct } from './http.ts'
import { askersOf, DASHBOARD_ROUTE, tokenOf } from './http-world.ts'
import { processorSeconds, proportionalBytes } from './processes.ts'
import type { Report } from './results.ts'
import { generate, type ProcessKind, type Server, startBare, startProcess } from './servers.ts'

/** `seconds`: how long to measure under load; at rest the same, but at most a minute. */
export type MemoryBench = { seconds: number; rows: number }

const MB = 2 ** 20
const KINDS: readonly ProcessKind[] = ['api', 'watcher', 'worker']
const CONNECTIONS = 32
const REST_SECONDS = 60
/** The load is generated in this many parts; memory is measured after each. */
const PARTS = 3

/**
 * Measures how much memory (proportional set size) and processor time each kind of process needs at rest, compared with
 * a bare server, and how the memory develops while the api is called continuously.
 */
export async function benchMemory(report: Report, { seconds, rows }: MemoryBench): Promise<void> {
  await withProduct(rows, async ({ dir, url, settings, stops }) => {
    const bare = await startBare(dir, { url, connections: 1, statements: {} })
    stops.push(bare.stop)
    const servers: Partial<Record<ProcessKind, Server>> = {}
    for (const kind of KINDS) {
      const server = await startProcess(kind, settings)
      servers[kind] = server
      stops.push(server.stop)
    }
    await atRest(report, { bare, ...servers }, Math.min(seconds, REST_SECONDS))
    await underLoad(report, servers, { seconds, rows })
  })
}

async function atRest(
  report: Report,
  servers: Readonly<Record<string, Server>>,
  seconds: number,
): Promise<void> {
  const spent = () => Object.values(servers).map(({ pid }) => processorSeconds([pid]))
  const before = spent()
  await pause(seconds * 1_000)
  const after = spent()
  const bareBytes = proportionalBytes(servers.bare?.pid)
  for (const [at, [kind, { pid }]] of Object.entries(servers).entries()) {
    const bytes = proportionalBytes(pid)
    report(`${kind}, ${seconds} s at rest`, {
      'memory, MB': megabytes(bytes / MB),
      'memory, of a bare server': ratio(bytes / bareBytes, { wanted: 'less' }),
      'part of a core, %': share(((after[at] ?? 0) - (before[at] ?? 0)) / seconds),
    })
  }
}

/** Calls the api continuously while watcher and worker follow the chains, which make a block a second. */
async function underLoad(
  report: Report,
  servers: Partial<Record<ProcessKind, Server>>,
  { seconds, rows }: MemoryBench,
): Promise<void> {
  const { api } = servers
  if (api === undefined) return
  const load = {
    paths: DASHBOARD_ROUTE.paths,
    tokens: askersOf(DASHBOARD_ROUTE.asker, rows).map(tokenOf),
    ...{ connections: CONNECTIONS, seconds: Math.ceil(seconds / PARTS) },
  }
  const bytes: Record<string, number>[] = []
  let calls = 0
  for (let part = 0; part < PARTS; part += 1) {
    calls += (await generate([api], load)).perSecond * load.seconds
    bytes.push(
      Object.fromEntries(
        Object.entries(servers).map(([kind, { pid }]) => [kind, proportionalBytes(pid)]),
      ),
    )
  }
  for (const kind of Object.keys(servers)) {
    const first = bytes[0]?.[kind] ?? Number.NaN
    const last = bytes.at(-1)?.[kind] ?? Number.NaN
    report(`${kind}, ${seconds} s of dashboards`, {
      ...(kind === 'api' && { calls: calls.toFixed(0) }),
      'memory after a third, MB': megabytes(first / MB),
      'memory at the end, MB': megabytes(last / MB),
      'memory at the end, of that after a third': ratio(last / first, { wanted: 'less' }),
    })
  }
}
