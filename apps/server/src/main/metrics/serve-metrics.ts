import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LoopStatus } from '../../platform/loops/loop.ts'
import type { Context } from '../context.ts'
import type { Running } from '../run.ts'
import { createMetrics, type Metrics, type ProcessRole } from './metrics.ts'

export type MetricsServer = Pick<Metrics, 'countCall'> & Running & { port: number | undefined }

const NOTHING: MetricsServer = {
  port: undefined,
  countCall: () => undefined,
  stop: async () => undefined,
}

/** Serves GET /metrics on a separate address, unknown to the public proxy. Without `METRICS_PORT`, measures nothing. */
export async function serveMetrics(
  context: Context,
  role: ProcessRole,
  loopStatus: () => LoopStatus[],
): Promise<MetricsServer> {
  const { host, port } = context.config.metrics
  if (port === undefined) return NOTHING
  const metrics = createMetrics({ context, role, loopStatus })
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    try {
      const text = await metrics.print()
      return response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
    } catch (error) {
      context.log.error({ err: error }, 'metricsFailed')
      return response.writeHead(500).end()
    }
  })
  server.listen({ host, port })
  await once(server, 'listening')
  return {
    countCall: metrics.countCall,
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
