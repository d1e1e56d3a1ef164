/**
 * Generates load and prints its measurements as JSON. The argument is a `Load` as JSON. Each connection is a different
 * user and sends its next call once the previous one has been answered.
 */
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'

export type Load = {
  ports: readonly number[]
  paths: readonly string[]
  /** The users' bearer tokens, distributed over the connections. */
  tokens: readonly string[]
  connections: number
  seconds: number
  /** Calls per second, spread evenly; absent: as many as the server answers. */
  rate?: number
  /** Whether each connection makes its calls on behalf of many users in turn. */
  isMixed?: boolean
}

export type Measured = { perSecond: number; p50: number; p99: number; failed: number }

const [text] = process.argv.slice(2)
if (text === undefined) throw new Error('usage: http-load.ts JSON')
const load = JSON.parse(text) as Load
/** With a rate, each connection sends its calls of a second in one burst, so connections start at different times. */
const STARTS = load.rate === undefined ? 1 : 16
const share = load.connections / load.ports.length
const starts = Math.min(STARTS, share)
const runs = load.ports.flatMap((port, n) =>
  Array.from({ length: starts }, async (_, start) => {
    await pause((start * 1_000) / starts)
    return autocannon({
      url: `http://127.0.0.1:${port}`,
      connections: share / starts,
      duration: load.seconds,
      timeout: 30,
      ...(load.rate && { overallRate: Math.ceil(load.rate / load.ports.length / starts) }),
      setupClient: clientsFrom(n * share + (start * share) / starts),
      ...({ skipAggregateResult: true } as object),
    })
  }),
)
const all = autocannon as unknown as {
  aggregateResult(results: readonly unknown[], options: object): autocannon.Result
}
const result = all.aggregateResult(await Promise.all(runs), { url: 'http://127.0.0.1' })
const measured: Measured = {
  perSecond: result['2xx'] / load.seconds,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failed: result.non2xx + result.errors + result.timeouts,
}
console.log(JSON.stringify(measured))

function clientsFrom(first: number): (client: autocannon.Client) => void {
  let next = first
  return (client) => {
    const own = next
    next += 1
    const users = load.isMixed === true ? 50 : 1
    client.setRequests(
      Array.from({ length: users }).flatMap((_, user) => {
        const token = load.tokens[(own + user * load.connections) % load.tokens.length]
        const headers = { authorization: `Bearer ${token}` }
        return load.paths.map((path) => ({ method: 'GET' as const, path, headers }))
      }),
    )
  }
}
