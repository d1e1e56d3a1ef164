import type { Engine } from '../../core/engine.ts'
import type { HttpReply, HttpRequest } from '../../core/http.ts'
import { answerJsonRpc } from '../../core/json-rpc-server.ts'
import type { JsonRpcRequest } from '../../core/rpc.ts'
import { uncallable } from './errors.ts'
import { createFilters } from './filters.ts'
import { type Context, METHODS } from './methods.ts'

/** The minimum number of parameters; a call with fewer is refused without further checks. */
const LEAST_PARAMETERS: Record<string, number> = {
  eth_getBlockByNumber: 2,
  eth_getBlockByHash: 2,
  eth_getBalance: 2,
  eth_getCode: 2,
  eth_getLogs: 1,
  eth_getTransactionByHash: 1,
  eth_getTransactionReceipt: 1,
}

/** Tron's JSON-RPC: Ethereum's methods with Tron's ids, limits and omissions. */
export function createTronJsonRpc(engine: Engine): (request: HttpRequest) => Promise<HttpReply> {
  const context: Context = { engine, filters: createFilters(engine) }
  const call = async ({ method, params }: JsonRpcRequest): Promise<unknown> => {
    const handler = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (!handler) throw uncallable(-32601, 'method not found')
    const given = Array.isArray(params) ? params : []
    if (given.length < (LEAST_PARAMETERS[method] ?? 0)) {
      throw uncallable(-32602, 'method parameters invalid')
    }
    return handler(context, given)
  }
  return async (request) => ({
    ...(await answerJsonRpc(request, call)),
    type: 'application/json-rpc',
  })
}
