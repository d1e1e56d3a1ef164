import { CallFailed, NodeUnavailable, NodeUnfit, StateGone } from '../nodes/failures.ts'
import { createJsonRpc, type JsonRpc } from '../nodes/json-rpc.ts'
import { createNodeClient, type NodeAccess } from '../nodes/node-client.ts'
import type { BlockRef, ChainReader, ViewCall } from './chain-reader.ts'
import { createLogReader } from './log-reader.ts'
import { readBlock, readChainId, readHeadNumber } from './rpc-replies.ts'
import { createTronHttp, type TronHttp, type TronHttpClient } from './tron-http.ts'

/** The two addresses of one Tron node. */
export type TronAccess = {
  /** The HTTP endpoint, such as https://api.trongrid.io. */
  http: NodeAccess
  /** The JSON-RPC endpoint of the same network. */
  jsonRpc: NodeAccess
}

/** Tron: what can be read, and what a sender needs. */
export type TronNode = ChainReader & TronHttp

const MAX_FINAL_CALL_TRIES = 5
const NOBODY = `0x${'00'.repeat(20)}` as const

/**
 * Asks one Tron node. Blocks and logs come over JSON-RPC. Everything final (the newest final block, receipts, view
 * calls) comes only from the solidified view of the HTTP endpoint, because JSON-RPC's own `finalized` can be some blocks
 * ahead of it. Transaction hashes are transaction ids with 0x in front; addresses are the 20 bytes without the prefix
 * 41.
 */
export function createTronClient(access: TronAccess): TronNode {
  const rpc = createJsonRpc(createNodeClient(access.jsonRpc))
  const http = createTronHttp(access.http)
  return {
    ...http,
    chainId: () => readChainId(rpc),
    finalHead: () => readFinalHead(http, rpc),
    headNumber: () => readHeadNumber(rpc),
    block: (number) => readBlock(rpc, number),
    ...createLogReader(rpc),
    finalCall: (calls, at) => callSolid(http, calls, at),
  }
}

/** The newest solidified block that the JSON-RPC endpoint also has; logs of later blocks would seem not to exist. */
async function readFinalHead(http: TronHttpClient, rpc: JsonRpc): Promise<BlockRef> {
  const solid = await http.solidBlock('newest')
  const known = await readBlock(rpc, solid.number)
  if (known !== null) return sameBlock(rpc, solid, known)
  const behind = await readBlock(rpc, await readHeadNumber(rpc))
  if (behind === null || behind.number >= solid.number) {
    throw new NodeUnavailable(`the JSON-RPC endpoint lacks the final block ${solid.number}`)
  }
  return sameBlock(rpc, await http.solidBlock(behind.number), behind)
}

function sameBlock({ host }: JsonRpc, solid: BlockRef, known: BlockRef): BlockRef {
  if (solid.hash === known.hash) return known
  const what = `the HTTP and JSON-RPC endpoints return different blocks ${solid.number}`
  throw new NodeUnfit(`${host}: ${what}`)
}

/**
 * The solidified state cannot be read at a given height, so the answers hold for the block that was the newest
 * solidified one both before and after the calls, in the same view that answered them.
 * @throws StateGone when `at` is not the newest solidified block
 */
async function callSolid(http: TronHttpClient, calls: readonly ViewCall[], at?: BlockRef) {
  for (let tries = 0; tries < MAX_FINAL_CALL_TRIES; tries += 1) {
    const before = await http.solidBlock('newest')
    if (at !== undefined && before.hash !== at.hash) {
      throw new StateGone(`the state of block ${at.number} is not that of the newest final block`)
    }
    const results = await Promise.all(calls.map((call) => view(http, call)))
    const after = await http.solidBlock('newest')
    if (after.hash === before.hash) return { at: before, results }
  }
  throw new NodeUnavailable('the final block advanced during every attempt')
}

async function view(http: TronHttpClient, { to: contract, data }: ViewCall) {
  const outcome = await http.readFinal({ from: NOBODY, contract, data })
  if (!outcome.succeeded) throw new CallFailed(`a view call failed: ${outcome.message}`)
  if (outcome.output === '0x') throw new CallFailed(`a view of ${contract} returned nothing`)
  return outcome.output
}
