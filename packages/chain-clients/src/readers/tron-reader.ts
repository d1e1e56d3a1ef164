import type { Hex } from 'viem'
import { NodeUnavailable } from '../senders/node-http.ts'
import type { BlockRef, ChainReader, FinalReceipt, KnownTransaction } from './chain-reader.ts'
import { readFinalHead } from './evm-reader.ts'
import { createJsonRpc, fieldsOf, readBlock, readLogs, toBigInt, toLogEntry } from './json-rpc.ts'
import { createNodeClient, type NodeClient } from './node-client.ts'

export type TronReaderOptions = {
  /** The HTTP end, such as https://api.trongrid.io. */
  fullHost: string
  /** The JSON-RPC end of the same network. */
  jsonRpc: string
  apiKey?: string
  timeoutMs?: number
}

const MAX_FINAL_CALL_TRIES = 5

/**
 * Reads Tron: blocks and logs over JSON-RPC, whether a transaction is final and succeeded from the solidified view of
 * the HTTP end. Transaction hashes are ids with 0x before them, addresses are the 20 bytes without the prefix 41.
 */
export function createTronReader(options: TronReaderOptions): ChainReader {
  const { fullHost, jsonRpc, apiKey, timeoutMs } = options
  const shared = {
    headers: apiKey === undefined ? {} : { 'TRON-PRO-API-KEY': apiKey },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
  const rpc = createJsonRpc(createNodeClient({ url: jsonRpc, ...shared }))
  const http = createNodeClient({ url: fullHost, ...shared })
  const finalHead = () => readFinalHead(rpc)
  return {
    finalHead,
    async headNumber() {
      return toBigInt(await rpc('eth_blockNumber', []))
    },
    block: (number) => readBlock(rpc, number),
    logs: (filter, range) => readLogs(rpc, filter, range),
    finalReceipt: (txHash) => readFinalReceipt(http, txHash),
    transaction: (txHash) => readTransaction(http, txHash),
    finalCall: (calls) => callSolid(http, finalHead, calls),
  }
}

async function readFinalReceipt(http: NodeClient, txHash: Hex): Promise<FinalReceipt | null> {
  const path = '/walletsolidity/gettransactioninfobyid'
  const info = fieldsOf(await http.post(path, { value: txHash.slice(2) }))
  if (info.id === undefined) return null
  if (info.id !== txHash.slice(2)) throw new NodeUnavailable('the answer is of another transaction')
  const receipt = info.receipt === undefined ? {} : fieldsOf(info.receipt)
  // A plain TRX transfer has no result of its own; it is absent, too, where a call has not run.
  const succeeded =
    info.result === undefined && (receipt.result === undefined || receipt.result === 'SUCCESS')
  const logs = Array.isArray(info.log) ? info.log : []
  return {
    txHash,
    blockNumber: BigInt(String(info.blockNumber ?? 0)),
    succeeded,
    // A transaction that ran out of time can carry logs of what it undid.
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

async function readTransaction(http: NodeClient, txHash: Hex): Promise<KnownTransaction | null> {
  const answer = await http.post('/wallet/gettransactionbyid', { value: txHash.slice(2) })
  const found = fieldsOf(answer)
  if (found.txID === undefined) return null
  if (found.txID !== txHash.slice(2))
    throw new NodeUnavailable('the answer is of another transaction')
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
  if (digits === undefined) throw new NodeUnavailable('an address is missing in an answer')
  return `0x${digits.toLowerCase()}`
}

/**
 * The solid state cannot be asked for by height. The answers hold at the final block that was the newest before and
 * still is afterwards.
 */
async function callSolid(
  http: NodeClient,
  finalHead: () => Promise<BlockRef>,
  calls: readonly { to: Hex; data: Hex }[],
): Promise<{ at: BlockRef; results: Hex[] }> {
  for (let tries = 0; tries < MAX_FINAL_CALL_TRIES; tries += 1) {
    const before = await finalHead()
    const results = await Promise.all(calls.map((call) => constantCall(http, call)))
    const after = await finalHead()
    if (after.hash === before.hash) return { at: before, results }
  }
  throw new NodeUnavailable('the final block moved on during every try')
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
    throw new NodeUnavailable(`a view call failed: ${String(result.code ?? 'reverted')}`)
  }
  return `0x${output.toLowerCase()}`
}
