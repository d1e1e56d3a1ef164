import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { realClock } from '../../platform/clock.ts'
import { poolState } from '../../platform/database/db.ts'
import type { Answered } from '../../platform/http/answered.ts'
import type { LoopStatus } from '../../platform/loops/loop.ts'
import { knownNodes } from '../chains/chains.ts'
import type { Context } from '../context.ts'
import { type Facts, GAUGES, type GaugeName } from './gauges.ts'
import { readFacts } from './read-facts.ts'

/** Seconds. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = {
  contentType: string
  countCall(answered: Answered): void
  /** Everything, in the text format of Prometheus. */
  print(): Promise<string>
}

/** The entry point of a process, by its file in this folder's parent. */
export type ProcessRole = 'api' | 'watcher' | 'worker' | 'all'

export type MetricsDeps = {
  context: Pick<Context, 'db' | 'replica' | 'clock' | 'dctDecimals' | 'log' | 'chains'>
  role: ProcessRole
  loopStatus(): LoopStatus[]
}

/** The metrics of a process and of the service. No label contains an address, an account or anything else unbounded. */
export function createMetrics({ context, role, loopStatus }: MetricsDeps): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'dct_http_request_duration_seconds',
    help: 'The duration of answered API calls.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCIES,
    registers: [registry],
  })
  registerProcess(registry, role)
  measureLoops(registry, loopStatus)
  measurePool(registry, context)
  measureReplica(registry, context)
  measureNodes(registry, context)
  const show = gaugesOf(registry)
  return {
    contentType: registry.contentType,
    countCall: ({ method, route, status, seconds }) =>
      calls.observe({ method, route, status }, seconds),
    async print() {
      show(await factsOrOutage(context))
      return registry.metrics()
    },
  }
}

/** During a database outage, only the outage is reported: graphs must not repeat outdated values. */
async function factsOrOutage(context: MetricsDeps['context']): Promise<Facts> {
  try {
    return await readFacts(context)
  } catch (error) {
    context.log.warn({ err: error }, 'metricsWithoutDatabase')
    return { dct_database_up: [{ value: 0 }] }
  }
}

function gaugesOf(registry: Registry): (facts: Facts) => void {
  const gauges = Object.entries(GAUGES).map(([name, { help, labels }]) => ({
    name: name as GaugeName,
    gauge: new Gauge({ name, help, labelNames: labels, registers: [registry] }),
  }))
  return (facts) => {
    for (const { name, gauge } of gauges) {
      // `reset` would set a gauge without labels to 0, but an unknown value must be absent.
      if (GAUGES[name].labels.length === 0) gauge.remove()
      else gauge.reset()
      for (const { labels, value } of facts[name] ?? []) gauge.set(labels ?? {}, value)
    }
  }
}

/** Lets an alert notice that no process of a kind is left, even one whose target has vanished. */
function registerProcess(registry: Registry, role: ProcessRole): void {
  new Gauge({
    name: 'dct_process_up',
    help: 'Whether this process runs: 1. Labelled with its entry point.',
    labelNames: ['role'],
    registers: [registry],
  }).set({ role }, 1)
}

function measureLoops(registry: Registry, loopStatus: () => LoopStatus[]): void {
  new Counter({
    name: 'dct_loop_steps_total',
    help: 'Steps of the background loops of this process.',
    labelNames: ['loop', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const {
        name,
        steps: { succeeded, failed },
      } of loopStatus()) {
        this.inc({ loop: name, outcome: 'succeeded' }, succeeded)
        this.inc({ loop: name, outcome: 'failed' }, failed)
      }
    },
  })
  const startedAt = realClock.now()
  new Gauge({
    name: 'dct_loop_succeeded_timestamp_seconds',
    help: 'When a background loop last succeeded; before its first success, when the process started.',
    labelNames: ['loop'],
    registers: [registry],
    collect() {
      for (const { name, succeededAt } of loopStatus()) {
        this.set({ loop: name }, (succeededAt ?? startedAt).getTime() / 1_000)
      }
    },
  })
}

function measurePool(registry: Registry, { db }: MetricsDeps['context']): void {
  new Gauge({
    name: 'dct_database_connections',
    help: 'Connections of this process to the database, and callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(poolState(db))) this.set({ state }, count)
    },
  })
}

function measureReplica(registry: Registry, { replica }: MetricsDeps['context']): void {
  new Gauge({
    name: 'dct_replica_age_seconds',
    help: 'How far the replica is behind the primary at most; no value while it is down.',
    registers: [registry],
    collect() {
      this.remove()
      const ageMs = replica?.ageMs()
      if (ageMs !== undefined) this.set(ageMs / 1_000)
    },
  })
}

/** The labels are bounded, because only hosts from the settings can occur. */
function measureNodes(registry: Registry, { chains }: MetricsDeps['context']): void {
  new Counter({
    name: 'dct_node_requests_total',
    help: 'Requests of this process to nodes, by outcome.',
    labelNames: ['chain', 'node', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [chain, nodes] of Object.entries(knownNodes(chains))) {
        for (const node of nodes) {
          for (const [outcome, count] of node.requests()) {
            this.inc({ chain, node: node.name, outcome }, count)
          }
        }
      }
    },
  })
}
