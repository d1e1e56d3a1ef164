import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fault = 'none' | 'lose-request' | 'lose-answer' | 'busy'
export type FaultyProxy = {
  url: string
  /** Called for every request; says what goes wrong with it. */
  setFaults(decide: (request: { path: string; body: string }) => Fault): void
  stop(): Promise<void>
}

/** Stands between a sender and a node, and does what networks do. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let decide: (request: { path: string; body: string }) => Fault = () => 'none'
  const server = createServer((request, response) => {
    void forward()
    async function forward() {
      const body = await readBody(request)
      const fault = decide({ path: request.url ?? '', body })
      if (fault === 'busy') return response.writeHead(429).end('slow down')
      if (fault === 'lose-request') return request.socket.destroy()
      const answer = await fetch(`${target}${request.url === '/' ? '' : request.url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const text = await answer.text()
      if (fault === 'lose-answer') return request.socket.destroy()
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setFaults(next) {
      decide = next
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** True for a request that hands a transaction to a node. */
export function isBroadcast({ path, body }: { path: string; body: string }): boolean {
  return path.startsWith('/wallet/broadcast') || body.includes('eth_sendRawTransaction')
}
