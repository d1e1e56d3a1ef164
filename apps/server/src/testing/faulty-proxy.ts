import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trickle } from './receivers.ts'

/** `silence` keeps the connection open and never answers, `trickle` never to the end; `truncate` sends half of the answer. */
export type Fault =
  | 'none'
  | 'lose-request'
  | 'lose-answer'
  | 'busy'
  | 'silence'
  | 'trickle'
  | 'truncate'
  | Change
/** Changes the request to the node, or its response. */
export type Change = Partial<ProxyRequest> & { answer?: (text: string) => string | Promise<string> }
export type ProxyRequest = { path: string; body: string }
type Decide = (request: ProxyRequest) => Fault | Promise<Fault>
export type FaultyProxy = {
  url: string
  /** Called for every request; returns the fault to cause. The request waits for the result. */
  setFaults(decide: Decide): void
  /** How many requests the node is working on. */
  forwarding(): number
  stop(): Promise<void>
}

/** A proxy between a sender and a node that causes network faults. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let decide: Decide = () => 'none'
  let forwarding = 0
  const server = createServer((request, response) => {
    forward().catch(() => request.socket.destroy())
    async function forward() {
      const asked = { path: request.url ?? '', body: await readBody(request) }
      const fault = await decide(asked)
      if (fault === 'busy') return response.writeHead(429).end('slow down')
      if (fault === 'silence') return
      if (fault === 'trickle') return trickle(response)
      if (fault === 'lose-request') return request.socket.destroy()
      const change = typeof fault === 'object' ? fault : {}
      const { path, body } = { ...asked, ...change }
      forwarding += 1
      const { answer, whole } = await ask(`${target}${path === '/' ? '' : path}`, body).finally(
        () => {
          forwarding -= 1
        },
      )
      const text = (await change.answer?.(whole)) ?? whole
      if (fault === 'lose-answer') return request.socket.destroy()
      const sent = fault === 'truncate' ? text.slice(0, text.length / 2) : text
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(sent)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setFaults(next) {
      decide = next
    },
    forwarding: () => forwarding,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function ask(url: string, body: string) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { answer, whole: await answer.text() }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** Whether a request broadcasts a transaction. */
export function isBroadcast({ path, body }: ProxyRequest): boolean {
  return path.startsWith('/wallet/broadcast') || body.includes('eth_sendRawTransaction')
}
