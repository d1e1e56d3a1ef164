import type { Hex } from 'viem'
import { NodeUnavailable } from '../senders/node-http.ts'
import type { BlockRef, ChainLog, LogEntry, LogFilter } from './chain-reader.ts'
import type { NodeClient } from './node-client.ts'

/** A node understood the request and answered with an error. */
export class RpcRefusal extends NodeUnavailable {
  override name = 'RpcRefusal'
  readonly code: unknown

  constructor(message: string, code: unknown) {
    super(message)
    this.code = code
  }
}

/** Calls a JSON-RPC node and returns the `result`. An error envelope throws. */
export type JsonRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

export function createJsonRpc(node: NodeClient): JsonRpc {
  let lastId = 0
  return async (method, params) => {
    lastId += 1
    const id = lastId
    const answer = await node.post('', { jsonrpc: '2.0', id, method, params })
    const envelope = fieldsOf(answer)
    if (envelope.error !== undefined && envelope.error !== null) {
      const { code } = fieldsOf(envelope.error)
      throw new RpcRefusal(`${method}: ${JSON.stringify(envelope.error).slice(0, 200)}`, code)
    }
    // Without this check a broken answer would look like "there is none".
    if (!('result' in envelope) || envelope.id !== id) {
      throw new NodeUnavailable(`${method}: a reply without a result`)
    }
    return envelope.result
  }
}

export async function readBlock(
  rpc: JsonRpc,
  which: bigint | 'finalized',
): Promise<BlockRef | null> {
  const tag = typeof which === 'bigint' ? quantity(which) : which
  const block = await rpc('eth_getBlockByNumber', [tag, false])
  if (block === null) return null
  const { number, hash, timestamp } = fieldsOf(block)
  const seconds = Number(toBigInt(timestamp))
  return { number: toBigInt(number), hash: toHex(hash), time: new Date(seconds * 1_000) }
}

export async function readLogs(
  rpc: JsonRpc,
  filter: LogFilter,
  range: { from: bigint; to: bigint },
): Promise<ChainLog[]> {
  const logs = await rpc('eth_getLogs', [
    {
      fromBlock: quantity(range.from),
      toBlock: quantity(range.to),
      address: filter.addresses,
      ...(filter.topics === undefined ? {} : { topics: filter.topics }),
    },
  ])
  if (!Array.isArray(logs)) throw new NodeUnavailable('eth_getLogs: not a list')
  return logs.map((log) => {
    const fields = fieldsOf(log)
    return {
      ...toLogEntry(fields),
      txHash: toHex(fields.transactionHash),
      blockNumber: toBigInt(fields.blockNumber),
      blockHash: toHex(fields.blockHash),
      blockIndex: Number(toBigInt(fields.logIndex)),
    }
  })
}

export function toLogEntry(fields: Readonly<Record<string, unknown>>): LogEntry {
  if (!Array.isArray(fields.topics)) throw new NodeUnavailable('a log without topics')
  return {
    address: toHex(fields.address),
    topics: fields.topics.map(toHex),
    data: toHex(fields.data),
  }
}

export function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

export function toBigInt(value: unknown): bigint {
  const text = toHex(value)
  if (text === '0x') throw new NodeUnavailable('a number is missing in a reply')
  return BigInt(text)
}

export function toHex(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) {
    throw new NodeUnavailable('a hex value is missing in a reply')
  }
  return value.toLowerCase() as Hex
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null)
    throw new NodeUnavailable('a reply is not an object')
  return value as Record<string, unknown>
}
