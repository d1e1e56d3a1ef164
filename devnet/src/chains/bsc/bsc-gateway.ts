import type { Engine } from '../core/engine.ts'
import { type HttpServer, serveHttp } from '../core/http.ts'
import { answerJsonRpc } from '../core/json-rpc-server.ts'
import { type JsonRpcRequest, RpcError } from '../core/rpc.ts'

/** The methods that a public node serves. Time travel, impersonation and the like are not exposed. */
const PUBLIC_METHODS = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getRawTransactionByHash',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_protocolVersion',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
])

/** Serves BSC's JSON-RPC, limited to the methods of a public node. */
export function serveBsc(engine: Engine): Promise<HttpServer> {
  return serveHttp({
    allowBrowsers: true,
    answer: (request) => answerJsonRpc(request, (call) => callBsc(engine, call)),
  })
}

async function callBsc(engine: Engine, { method, params }: JsonRpcRequest): Promise<unknown> {
  const list = Array.isArray(params) ? params : []
  if (method === 'eth_accounts') return []
  if (method === 'eth_sendRawTransaction') return engine.sendBsc(list[0])
  if (!PUBLIC_METHODS.has(method)) {
    throw new RpcError({
      code: -32601,
      message: `the method ${method} does not exist/is not available`,
    })
  }
  return engine.nodes.bsc.rpc(method, ...list)
}
