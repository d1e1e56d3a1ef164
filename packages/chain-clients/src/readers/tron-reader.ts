import type { Hex } from 'viem'
import { NodeUnavailable } from '../nodes/failures.ts'
import { createJsonRpc, fieldsOf, type JsonRpc, toBigInt, toHex } from '../nodes/json-rpc.ts'
import { createNodeClient, type NodeAccess, type NodeClient } from '../nodes/node-client.ts'
import { NodesDisagree } from '../nodes/node-group.ts'
import {
  type BlockRef,
  CallFailed,
  type ChainReader,
  type FinalReceipt,
  hasMatch,
  type KnownTransaction,
  StateGone,
} from './chain-reader.ts'
import { readChainId } from './evm-reader.ts'
import { createLogReader } from './log-reader.ts'
import { readBlock, toLogEntry } from './read-rpc.ts'

/** The two addresses of one Tron node. */
export type TronAccess = {
  /** The HTTP endpoint, such as https://api.trongrid.io. */
  http: NodeAccess
  /** The JSON-RPC endpoint of the same network. */
  jsonRpc: NodeAccess
}

const MAX_FINAL_CALL_TRIES = 5

/**
 * Reads Tron. Blocks and logs come over JSON-RPC. Everything final (the newest final block, receipts, view calls) comes
 * only from the solidified view of the HTTP endpoint, because JSON-RPC's own `finalized` can be some blocks ahead of
 * it. Transaction hashes are transaction ids with 0x in front; addresses are the 20 bytes without the prefix 41.
 */
export function createTronReader(access: TronAccess): ChainReader {
  const rpc = createJsonRpc(createNodeClient(access.jsonRpc))
  const http = createNodeClient(access.http)
  return {
    chainId: () => readChainId(rpc),
    finalHead: () => readFinalHead(http, rpc),
    async headNumber() {
      return toBigInt(await rpc('eth_blockNumber', []))
    },
    block: (number) => readBlock(rpc, number),
    ...createLogReader(rpc),
    code: (address) => readCode(http, address),
    finalReceipt: (txHash) => readFinalReceipt(http, txHash),
    async receiptsIn(block, filters) {
      const path = '/walletsolidity/gettransactioninfobyblocknum'
      const infos = await http.post(path, { num: Number(block) })
      if (!Array.isArray(infos)) throw new NodeUnavailable('the receipts of a block are not a list')
      const receipts = infos.map((info) => receiptOf(fieldsOf(info)))
      if (receipts.some(({ blockNumber }) => blockNumber !== block)) {
        throw new NodeUnavailable('the reply is for another block')
      }
      return receipts.filter((receipt) => hasMatch(receipt, filters))
    },
    transaction: (txHash) => readTransaction(http, txHash),
    finalCall: (calls, at) => callSolid(http, calls, at),
  }
}

/** The newest solidified block that the JSON-RPC endpoint also has; logs of later blocks would seem not to exist. */
async function readFinalHead(http: NodeClient, rpc: JsonRpc): Promise<BlockRef> {
  const solid = await readSolidBlock(http, 'newest')
  const known = await readBlock(rpc, solid.number)
  if (known !== null) return sameBlock(solid, known)
  const behind = await readBlock(rpc, toBigInt(await rpc('eth_blockNumber', [])))
  if (behind === null || behind.number >= solid.number) {
    throw new NodeUnavailable(`the JSON-RPC endpoint lacks the final block ${solid.number}`)
  }
  return sameBlock(await readSolidBlock(http, behind.number), behind)
}

function sameBlock(solid: BlockRef, known: BlockRef): BlockRef {
  if (solid.hash === known.hash) return known
  throw new NodesDisagree(`the HTTP and JSON-RPC endpoints return different blocks ${solid.number}`)
}

async function readSolidBlock(http: NodeClient, which: 'newest' | bigint): Promise<BlockRef> {
  const answer =
    which === 'newest'
      ? await http.post('/walletsolidity/getnowblock', {})
      : await http.post('/walletsolidity/getblockbynum', { num: Number(which) })
  const { blockID, block_header } = fieldsOf(answer)
  const header = fieldsOf(fieldsOf(block_header).raw_data)
  return {
    // Fields with their default value are left out of answers.
    number: BigInt(String(header.number ?? 0)),
    hash: toHex(`0x${String(blockID)}`),
    time: new Date(Number(header.timestamp ?? 0)),
  }
}

async function readFinalReceipt(http: NodeClient, txHash: Hex): Promise<FinalReceipt | null> {
  const path = '/walletsolidity/gettransactioninfobyid'
  const info = fieldsOf(await http.post(path, { value: txHash.slice(2) }))
  if (info.id === undefined) return null
  if (info.id !== txHash.slice(2)) throw new NodeUnavailable('the reply is for another transaction')
  return receiptOf(info)
}

function receiptOf(info: Readonly<Record<string, unknown>>): FinalReceipt {
  const receipt = info.receipt === undefined ? {} : fieldsOf(info.receipt)
  // A plain TRX transfer has no receipt result; neither has a call that did not run.
  const succeeded =
    info.result === undefined && (receipt.result === undefined || receipt.result === 'SUCCESS')
  const logs = Array.isArray(info.log) ? info.log : []
  return {
    txHash: toHex(`0x${String(info.id)}`),
    blockNumber: BigInt(String(info.blockNumber ?? 0)),
    succeeded,
    // A transaction that ran out of time can carry logs of reverted effects.
    logs: succeeded ? logs.map((log) => toLogEntry(withPrefixes(fieldsOf(log)))) : [],
  }
}

function withPrefixes(log: Readonly<Record<string, unknown>>) {
  const topics = Array.isArray(log.topics) ? log.topics : []
  return {
    address: `0x${String(log.address)}`,
    topics: topics.map((topic) => `0x${String(topic)}`),
    data: `0x${log.data === undefined ? '' : String(log.data)}`,
  }
}

async function readCode(http: NodeClient, address: Hex): Promise<Hex> {
  const body = { value: `41${address.slice(2)}` }
  const { runtimecode } = fieldsOf(await http.post('/wallet/getcontractinfo', body))
  return runtimecode === undefined ? '0x' : toHex(`0x${String(runtimecode)}`)
}

async function readTransaction(http: NodeClient, txHash: Hex): Promise<KnownTransaction | null> {
  const answer = await http.post('/wallet/gettransactionbyid', { value: txHash.slice(2) })
  const found = fieldsOf(answer)
  if (found.txID === undefined) return null
  if (found.txID !== txHash.slice(2))
    throw new NodeUnavailable('the reply is for another transaction')
  const contracts = fieldsOf(found.raw_data).contract
  const contract = fieldsOf(Array.isArray(contracts) ? contracts[0] : undefined)
  const value = fieldsOf(fieldsOf(contract.parameter).value)
  const isCall = contract.type === 'TriggerSmartContract'
  return {
    hash: txHash,
    from: withoutTronPrefix(value.owner_address),
    to: isCall ? withoutTronPrefix(value.contract_address) : null,
    input: isCall && typeof value.data === 'string' ? `0x${value.data.toLowerCase()}` : '0x',
  }
}

function withoutTronPrefix(address: unknown): Hex {
  const digits = /^41([0-9a-fA-F]{40})$/.exec(String(address))?.[1]
  if (digits === undefined) throw new NodeUnavailable('an address is missing in a reply')
  return `0x${digits.toLowerCase()}`
}

/**
 * The solidified state cannot be read at a given height, so the answers hold for the block that was the newest
 * solidified one both before and after the calls, in the same view that answered them.
 * @throws StateGone when `at` is not the newest solidified block
 */
async function callSolid(
  http: NodeClient,
  calls: readonly { to: Hex; data: Hex }[],
  at: BlockRef | undefined,
): Promise<{ at: BlockRef; results: Hex[] }> {
  for (let tries = 0; tries < MAX_FINAL_CALL_TRIES; tries += 1) {
    const before = await readSolidBlock(http, 'newest')
    if (at !== undefined && before.hash !== at.hash) {
      throw new StateGone(`the state of block ${at.number} is not that of the newest final block`)
    }
    const results = await Promise.all(calls.map((call) => constantCall(http, call)))
    const after = await readSolidBlock(http, 'newest')
    if (after.hash === before.hash) return { at: before, results }
  }
  throw new NodeUnavailable('the final block advanced during every attempt')
}

async function constantCall(http: NodeClient, call: { to: Hex; data: Hex }): Promise<Hex> {
  const answer = fieldsOf(
    await http.post('/walletsolidity/triggerconstantcontract', {
      owner_address: `41${'00'.repeat(20)}`,
      contract_address: `41${call.to.slice(2)}`,
      data: call.data.slice(2),
    }),
  )
  const result = fieldsOf(answer.result)
  const [output] = Array.isArray(answer.constant_result) ? answer.constant_result : []
  if (result.result !== true || result.message !== undefined || typeof output !== 'string') {
    throw new CallFailed(`a view call failed: ${String(result.code ?? 'reverted')}`)
  }
  return `0x${output.toLowerCase()}`
}
