import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; bytes: Buffer }

/** An HTTP server that accepts every request; it can be stopped and restarted on the same port. */
export async function startReceiver() {
  const received: Received[] = []
  /** Replaced by tests that need another response. */
  const on = {
    request: (response: ServerResponse, _received: Received): unknown =>
      response.writeHead(204).end(),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      bytes: Buffer.concat(chunks),
    }
    received.push(one)
    await on.request(response, one)
  })
  let port = 0
  const start = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  await start()
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${port}`, received, on, start, stop }
}

/** Begins an answer and goes on with it for ever, so slowly that its end is never seen. */
export function trickle({ socket }: ServerResponse): void {
  if (socket === null || socket.destroyed) return
  if (socket.bytesWritten === 0) socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
  else socket.write('.')
  setTimeout(() => trickle({ socket } as ServerResponse), 3_000)
}

export type Mail = { from: string; to: string[]; text: string }

/**
 * A mail server without TLS. Emails to an address that begins with "nobody" are refused, with the code after a dash, and
 * all others with `on.refusal`, if a test sets it.
 */
export async function startMailServer() {
  const mails: Mail[] = []
  const on: { refusal: { responseCode: number; message: string } | null } = { refusal: null }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const [isNobody, code = ''] = /^nobody-?([\d.]*)@/.exec(address) ?? []
      if (isNobody !== undefined) done(new Error(`${code} unknown receiver`.trim()))
      else done(on.refusal === null ? null : Object.assign(new Error(), on.refusal))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, mails, on }
}
