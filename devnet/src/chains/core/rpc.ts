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

/** @throws RpcError for an error reply, TypeError when the server cannot be reached */
export function createRpc(url: string): Rpc {
  let lastId = 0
  return async <T>(method: string, ...params: unknown[]): Promise<T> => {
    lastId += 1
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
    })
    const reply = (await response.json()) as JsonRpcResponse
    if (reply.error) throw new RpcError(reply.error)
    return reply.result as T
  }
}

/** Formats a number as a JSON-RPC quantity. */
export function toQuantity(value: number | bigint): `0x${string}` {
  return `0x${value.toString(16)}`
}
