import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request to a node: the path and, for JSON-RPC, the method. */
export type Question = { path: string; body: Record<string, unknown>; method: string }
type Json = Record<string, unknown>
export type StandIn = {
  /** Responds instead of the node. */
  reply?: (question: Question) => { status: number; body: string } | undefined
  /** Replaces the node's response; for JSON-RPC, its result. */
  change?: (question: Question, answer: unknown) => unknown
  headers?: Record<string, string>
}

/** A test double for a node: forwards requests, except for what the test changes. Stops with the test. */
export async function startStandIn(target: string, standIn: StandIn): Promise<string> {
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request)
    const body = JSON.parse(text || '{}') as Json
    const question = { path: request.url ?? '', body, method: `${body.method ?? ''}` }
    const reply = standIn.reply?.(question)
    if (reply !== undefined) return response.writeHead(reply.status).end(reply.body)
    const path = request.url === '/' ? '' : request.url
    const answered = await fetch(`${target}${path}`, { method: 'POST', body: text })
    const answer = (await answered.json()) as Json
    response.writeHead(answered.status, standIn.headers)
    response.end(JSON.stringify(changed(standIn, question, answer)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function changed({ change }: StandIn, question: Question, answer: Json): unknown {
  if (change === undefined) return answer
  return question.method === ''
    ? change(question, answer)
    : { ...answer, result: change(question, answer.result) }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
