import { bytes, count, list, object, orNull, quantity, seconds, that } from '../nodes/decode.ts'
import { type JsonRpc, quantityOf } from '../nodes/json-rpc.ts'
import { type BlockRef, type ChainLog, fitsFilter, type LogFilter } from './chain-reader.ts'

/** The replies that EVM nodes and the JSON-RPC endpoint of Tron's nodes have in common. */

const BLOCK = object({ number: quantity, hash: bytes(32), timestamp: seconds })

export const LOG_ENTRY = object({ address: bytes(20), topics: list(bytes(32)), data: bytes() })

const LOG = object({
  ...{ address: bytes(20), topics: list(bytes(32)), data: bytes() },
  ...{ transactionHash: bytes(32), blockNumber: quantity, blockHash: bytes(32), logIndex: count },
})

export function readChainId(rpc: JsonRpc): Promise<number> {
  return rpc('eth_chainId', [], count)
}

export function readHeadNumber(rpc: JsonRpc): Promise<bigint> {
  return rpc('eth_blockNumber', [], quantity)
}

/** Null when the node has not reached it. */
export async function readBlock(
  rpc: JsonRpc,
  which: bigint | 'finalized',
): Promise<BlockRef | null> {
  const tag = typeof which === 'bigint' ? quantityOf(which) : which
  const isRight = ({ number }: { number: bigint }) => which === 'finalized' || number === which
  const right = that(BLOCK, isRight, `block ${which}`)
  const block = await rpc('eth_getBlockByNumber', [tag, false], orNull(right))
  return block === null ? null : { number: block.number, hash: block.hash, time: block.timestamp }
}

export async function readLogs(
  rpc: JsonRpc,
  filter: LogFilter,
  range: { from: bigint; to: bigint },
): Promise<ChainLog[]> {
  const query = {
    fromBlock: quantityOf(range.from),
    toBlock: quantityOf(range.to),
    address: filter.addresses,
    ...(filter.topics === undefined ? {} : { topics: filter.topics }),
  }
  const isRight = (log: ReturnType<typeof LOG>) =>
    log.blockNumber >= range.from && log.blockNumber <= range.to && fitsFilter(filter, log)
  const logs = await rpc('eth_getLogs', [query], list(that(LOG, isRight, 'a log of this search')))
  return logs.map(({ transactionHash: txHash, logIndex: blockIndex, ...log }) => ({
    ...{ ...log, txHash, blockIndex },
  }))
}
