import { NodeUnavailable } from '../nodes/failures.ts'
import { fieldsOf, type JsonRpc, quantity, toBigInt, toHex } from '../nodes/json-rpc.ts'
import type { BlockRef, ChainLog, LogEntry, LogFilter } from './chain-reader.ts'

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
