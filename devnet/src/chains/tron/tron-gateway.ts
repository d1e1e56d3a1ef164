import type { Engine } from '../core/engine.ts'
import { type HttpServer, serveHttp } from '../core/http.ts'
import { answerTronHttp } from './http-api.ts'
import { createTronJsonRpc } from './json-rpc/json-rpc.ts'

/** A full node on one address: `/wallet/…`, `/walletsolidity/…` and `/jsonrpc`. */
export function serveTron(engine: Engine): Promise<HttpServer> {
  const answerTronJsonRpc = createTronJsonRpc(engine)
  return serveHttp({
    allowBrowsers: true,
    answer: async (request) => {
      if (request.path === '/jsonrpc') return answerTronJsonRpc(request)
      if (request.path === '/healthcheck') return { body: JSON.stringify({ status: 'OK' }) }
      return answerTronHttp(engine, request)
    },
  })
}
