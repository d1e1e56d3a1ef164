/** The error reply of a JSON-RPC server. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data: unknown
  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message)
    this.code = error.code
    this.data = error.data
  }
}

export type JsonRpcRequest = { jsonrpc?: string; id?: unknown; method: string; params?: unknown }
export type JsonRpcResponse = {
  jsonrpc: '2.0'
  id: unknown
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/** Calls one method of a JSON-RPC server. The caller states the result's type. */
export type Rpc = <T>(method: string, ...params: unknown[]) => Promise<T>

/** Longer requests, such as a saved state, are sent over HTTP: a server may limit the size of WebSocket messages. */
const MAX_SOCKET_LENGTH = 1_000_000

/** Far longer than any call takes: a process that has not answered by then hangs. */
const PATIENCE_MS = 60_000

/**
 * Calls a JSON-RPC server on this machine over one WebSocket. A call costs an eighth of an HTTP request.
 * @returns a function that calls a method. It throws RpcError for an error reply, and another error when the server
 * cannot be reached or does not answer
 * @throws when the server does not accept the socket
 */
export async function connectRpc(url: string, patienceMs = PATIENCE_MS): Promise<Rpc> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  const waiting = new Map<number, PromiseWithResolvers<JsonRpcResponse>>()
  const isOpen = Promise.withResolvers<void>()
  socket.addEventListener('open', () => isOpen.resolve())
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(data) as JsonRpcResponse & { id: number }
    waiting.get(reply.id)?.resolve(reply)
  })
  socket.addEventListener('close', () => {
    const gone = new Error(`${url} closed the connection`)
    isOpen.reject(gone)
    for (const answer of waiting.values()) answer.reject(gone)
  })
  await answerWithin(patienceMs, isOpen.promise, `${url} did not accept a connection`)

  const ask = (id: number, request: string): Promise<JsonRpcResponse> => {
    if (socket.readyState !== WebSocket.OPEN) throw new Error(`${url} is not connected`)
    const answer = Promise.withResolvers<JsonRpcResponse>()
    waiting.set(id, answer)
    socket.send(request)
    return answer.promise
  }
  let lastId = 0
  return async <T>(method: string, ...params: unknown[]): Promise<T> => {
    lastId += 1
    const id = lastId
    const request = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const isLong = request.length > MAX_SOCKET_LENGTH
    try {
      const answer = isLong ? post(url, request) : ask(id, request)
      const reply = await answerWithin(patienceMs, answer, `${url} did not answer ${method}`)
      if (reply.error) throw new RpcError(reply.error)
      return reply.result as T
    } finally {
      waiting.delete(id)
    }
  }
}

async function post(url: string, body: string): Promise<JsonRpcResponse> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return (await response.json()) as JsonRpcResponse
}

/** @throws with that complaint when there is no answer in time */
async function answerWithin<T>(
  patienceMs: number,
  answer: Promise<T>,
  complaint: string,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`${complaint} within ${patienceMs / 1000} s`)),
    patienceMs,
  )
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Formats a number as a JSON-RPC quantity. */
export function toQuantity(value: number | bigint): `0x${string}` {
  return `0x${value.toString(16)}`
}
