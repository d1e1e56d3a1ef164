import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `silence` keeps the connection open and never answers; `truncate` sends half of the answer. */
export type Fault =
  | 'none'
  | 'lose-request'
  | 'lose-answer'
  | 'busy'
  | 'silence'
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
  stop(): Promise<void>
}

/** A proxy between a sender and a node that causes network faults. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let decide: Decide = () => 'none'
  const server = createServer((request, response) => {
    void forward()
    async function forward() {
      const asked = { path: request.url ?? '', body: await readBody(request) }
      const fault = await decide(asked)
      if (fault === 'busy') return response.writeHead(429).end('slow down')
      if (fault === 'silence') return
      if (fault === 'lose-request') return request.socket.destroy()
      const change = typeof fault === 'object' ? fault : {}
      const { path, body } = { ...asked, ...change }
      const answer = await fetch(`${target}${path === '/' ? '' : path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const whole = await answer.text()
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

/** Whether a request broadcasts a transaction. */
export function isBroadcast({ path, body }: ProxyRequest): boolean {
  return path.startsWith('/wallet/broadcast') || body.includes('eth_sendRawTransaction')
}
