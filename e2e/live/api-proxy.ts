import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import { until } from '../chaos/until.ts'

/** A reverse proxy in front of several API processes. */
export type ApiProxy = {
  port: number
  /** Resolves once the process on this port has answered every request that was forwarded to it. */
  answered(port: number): Promise<void>
  stop(): void
}

/**
 * Forwards each request to a local port. If the upstream response never completes, the client's connection is closed,
 * just as if the client had connected to the process directly.
 * @param target the port for the next request
 */
export async function startApiProxy(target: () => number): Promise<ApiProxy> {
  const open: number[] = []
  // Never closes an idle connection itself: a client in this busy process might be writing to it just then.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { method, url, headers } = request
    const port = target()
    open.push(port)
    response.once('close', () => open.splice(open.indexOf(port), 1))
    const upstream = ask({ host: '127.0.0.1', port, method, path: url, headers })
    upstream.on('response', (answer) => {
      answer.on('error', () => response.destroy())
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    request.pipe(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const found = server.address()
  if (found === null || typeof found === 'string') throw new Error('the proxy has no port')
  return {
    port: found.port,
    answered: (port) => until('every request is answered', async () => !open.includes(port)),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
