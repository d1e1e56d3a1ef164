import type { HttpReply, HttpRequest } from './http.ts'
import { type JsonRpcRequest, type JsonRpcResponse, RpcError } from './rpc.ts'

const MOST_BATCHED = 100

/** Answers one request, or a batch in order. */
export async function answerJsonRpc(
  { method, body }: HttpRequest,
  call: (request: JsonRpcRequest) => Promise<unknown>,
): Promise<HttpReply> {
  if (method !== 'POST') return { status: 405, body: '' }
  const requests = parse(body)
  if (requests === undefined) return reply(failure(null, -32700, 'JSON parse error'))
  if (!Array.isArray(requests)) return reply(await answerOne(requests, call))
  if (requests.length > MOST_BATCHED) {
    return reply(failure(null, -32005, `Batch size ${requests.length} exceeds ${MOST_BATCHED}`))
  }
  const replies: JsonRpcResponse[] = []
  for (const request of requests) replies.push(await answerOne(request, call))
  return reply(replies)
}

async function answerOne(
  request: unknown,
  call: (request: JsonRpcRequest) => Promise<unknown>,
): Promise<JsonRpcResponse> {
  if (!isRequest(request)) return failure(null, -32600, 'Invalid Request')
  const id = request.id ?? null
  try {
    return { jsonrpc: '2.0', id, result: (await call(request)) ?? null }
  } catch (error) {
    if (!(error instanceof RpcError)) return failure(id, -32603, `${error}`)
    const { code, message, data } = error
    return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
  }
}

function isRequest(value: unknown): value is JsonRpcRequest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    typeof value.method === 'string'
  )
}

function failure(id: unknown, code: number, message: string): JsonRpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function reply(value: unknown): HttpReply {
  return { body: JSON.stringify(value) }
}
