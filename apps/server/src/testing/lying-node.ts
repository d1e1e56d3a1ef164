import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Replaces a node's response to a JSON-RPC method. */
export type Lie = (method: string, result: unknown) => unknown

export type LyingNode = { url: string; tell(lie: Lie | undefined): void; stop(): void }

/** A proxy between a reader and a real node that can change the node's responses. */
export async function startLyingNode(trueUrl: string): Promise<LyingNode> {
  let lie: Lie | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const { method } = JSON.parse(body) as { method: string }
    const answered = await fetch(trueUrl, { method: 'POST', body })
    const envelope = (await answered.json()) as { result: unknown }
    const result = lie === undefined ? envelope.result : lie(method, envelope.result)
    response.end(JSON.stringify({ ...envelope, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell(next) {
      lie = next
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
