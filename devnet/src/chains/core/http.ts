import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HttpRequest = { method: string; path: string; query: URLSearchParams; body: string }
export type HttpReply = { status?: number; type?: string; body: string }
export type HttpServer = { url: string; stop(): Promise<void> }

/** The default limit of a real node. */
const MOST_BODY_BYTES = 4 * 1024 * 1024

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
}

/** Serves on a free port of 127.0.0.1. With `allowBrowsers`, pages of any origin may call. */
export async function serveHttp(options: {
  allowBrowsers: boolean
  answer: (request: HttpRequest) => Promise<HttpReply>
}): Promise<HttpServer> {
  const { allowBrowsers, answer } = options
  const server = createServer((incoming, outgoing) => {
    const headers = allowBrowsers ? CORS : {}
    const isPreflight = allowBrowsers && incoming.method === 'OPTIONS'
    const replied = isPreflight ? Promise.resolve({ status: 204, body: '' }) : reply(incoming)
    void replied.then((result) => send(outgoing, result, headers))
  })
  // On a busy machine, a client would send its next request just as an idle connection is closed.
  server.keepAliveTimeout = 0
  const reply = async (incoming: IncomingMessage): Promise<HttpReply> => {
    try {
      const body = await readBody(incoming)
      if (body === undefined) return { status: 413, type: 'text/html', body: 'Request too large' }
      const url = new URL(incoming.url ?? '/', 'http://localhost')
      const { pathname: path, searchParams: query } = url
      return await answer({ method: incoming.method ?? 'GET', path, query, body })
    } catch (error) {
      return { status: 500, body: JSON.stringify({ Error: `${error}` }) }
    }
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MOST_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(outgoing: ServerResponse, reply: HttpReply, headers: Record<string, string>): void {
  const { status = 200, type = 'application/json;charset=utf-8', body } = reply
  outgoing.writeHead(status, { ...headers, 'content-type': type })
  outgoing.end(body)
}
