import type { Engine } from '../../core/engine.ts'
import type { HttpReply, HttpRequest } from '../../core/http.ts'
import { answerJsonRpc } from '../../core/json-rpc-server.ts'
import type { JsonRpcRequest } from '../../core/rpc.ts'
import { methodNotFound } from './errors.ts'
import { createFilters } from './filters.ts'
import { type Context, METHODS } from './methods.ts'

/** Tron's JSON-RPC: Ethereum's words, with Tron's ids, limits and gaps. */
export function createTronJsonRpc(engine: Engine): (request: HttpRequest) => Promise<HttpReply> {
  const context: Context = { engine, filters: createFilters(engine) }
  const call = async ({ method, params }: JsonRpcRequest): Promise<unknown> => {
    const handler = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (!handler) throw methodNotFound('method not found')
    return handler(context, Array.isArray(params) ? params : [])
  }
  return (request) => answerJsonRpc(request, call)
}
