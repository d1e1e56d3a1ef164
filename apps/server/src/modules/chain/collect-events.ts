import {
  type ChainLog,
  type ChainReader,
  type FinalReceipt,
  fitsFilter,
  type LogFilter,
  NodeUnavailable,
} from '@dct/chain-clients'
import type { Abi, Hex } from 'viem'
import { bytesOf } from './bytes.ts'
import type { ChainName } from './chain.tables.ts'
import { type ChainEvent, decodeEvent, type Stream } from './chain-event.ts'

export type StreamEvent = { stream: Stream; event: ChainEvent }

const PARALLEL_READS = 8

/**
 * Everything the streams look for in a range of final blocks, in the order of the chain. A range query proves little
 * by itself: each log's block must be the one of its height, its transaction must be final and have succeeded, and its
 * receipt must hold exactly the logs that were found, no more and no less.
 */
export async function collectEvents(
  source: { chain: ChainName; reader: ChainReader; streams: readonly Stream[] },
  range: { from: bigint; to: bigint },
): Promise<StreamEvent[]> {
  const found: Found[] = []
  for (const stream of source.streams) {
    found.push(...(await findLogs(source.reader, stream, range)))
  }
  found.sort(byPlace)
  const blockTimes = await checkBlocks(source.reader, found)
  const places = await placesInTransactions(source.reader, found)
  return found.flatMap(({ stream, abi, log }) => {
    const logIndex = places.get(keyOf(log))
    const decoded = decodeEvent(abi, log)
    const blockTime = blockTimes.get(log.blockNumber)
    if (logIndex === undefined || decoded === undefined || blockTime === undefined) return []
    const event: ChainEvent = {
      chain: source.chain,
      txHash: bytesOf(log.txHash),
      logIndex,
      blockNumber: log.blockNumber,
      blockHash: bytesOf(log.blockHash),
      blockTime,
      address: bytesOf(log.address),
      ...decoded,
    }
    return [{ stream, event }]
  })
}

type Found = { stream: Stream; abi: Abi; log: ChainLog }

async function findLogs(
  reader: ChainReader,
  stream: Stream,
  range: { from: bigint; to: bigint },
): Promise<Found[]> {
  const byKey = new Map<string, Found>()
  for (const filter of filtersOf(stream)) {
    for (const log of await reader.logs(filter, range)) {
      const contract = stream.contracts.find(({ address }) => address === log.address)
      const isInRange = log.blockNumber >= range.from && log.blockNumber <= range.to
      if (contract === undefined || !isInRange || !fitsFilter(filter, log)) {
        throw new NodeUnavailable('a node answered logs that nobody asked for')
      }
      byKey.set(keyOf(log), { stream, abi: contract.abi, log })
    }
  }
  return [...byKey.values()]
}

function filtersOf(stream: Stream): LogFilter[] {
  const addresses = stream.contracts.map(({ address }) => address)
  return stream.topicFilters === undefined
    ? [{ addresses }]
    : stream.topicFilters.map((topics) => ({ addresses, topics }))
}

/** The times of the blocks, after a look that each log lies in the block that has its height now. */
async function checkBlocks(reader: ChainReader, found: readonly Found[]) {
  const numbers = [...new Set(found.map(({ log }) => log.blockNumber))]
  const blocks = await inParallel(numbers, (number) => reader.block(number))
  const byNumber = new Map(blocks.map((block) => [block?.number, block]))
  for (const { log } of found) {
    if (byNumber.get(log.blockNumber)?.hash !== log.blockHash) {
      throw new NodeUnavailable(`a log does not lie in block ${log.blockNumber}`)
    }
  }
  return new Map(blocks.map((block) => [block?.number, block?.time]))
}

/** Where each log stands in its transaction. Logs of failed transactions have no place. */
async function placesInTransactions(
  reader: ChainReader,
  found: readonly Found[],
): Promise<Map<string, number>> {
  const hashes = [...new Set(found.map(({ log }) => log.txHash))]
  const receipts = await inParallel(hashes, (hash) => reader.finalReceipt(hash))
  const places = new Map<string, number>()
  hashes.forEach((hash, at) => {
    const own = found.filter(({ log }) => log.txHash === hash)
    for (const [key, place] of placesIn(receipts[at] ?? null, own)) places.set(key, place)
  })
  return places
}

function placesIn(receipt: FinalReceipt | null, own: readonly Found[]): [string, number][] {
  const [first] = own
  if (receipt === null || first === undefined || receipt.blockNumber !== first.log.blockNumber) {
    throw new NodeUnavailable('a transaction in a final block has no final receipt yet')
  }
  if (!receipt.succeeded) return []
  const filters = [...new Set(own.map(({ stream }) => stream))].flatMap(filtersOf)
  const wanted = receipt.logs.flatMap((log, place) =>
    filters.some((filter) => fitsFilter(filter, log)) ? [{ log, place }] : [],
  )
  const isSame =
    wanted.length === own.length &&
    wanted.every(({ log }, at) => spell(log) === spell(own[at]?.log ?? { topics: [], data: '0x' }))
  if (!isSame) throw new NodeUnavailable(`logs and receipt of ${receipt.txHash} differ`)
  return wanted.flatMap(({ place }, at) => {
    const log = own[at]?.log
    return log === undefined ? [] : [[keyOf(log), place] as [string, number]]
  })
}

function spell(log: { topics: readonly Hex[]; data: Hex }): string {
  return [...log.topics, log.data].join()
}

function keyOf(log: ChainLog): string {
  return `${log.txHash}/${log.blockIndex}`
}

function byPlace(a: Found, b: Found): number {
  if (a.log.blockNumber !== b.log.blockNumber) return a.log.blockNumber < b.log.blockNumber ? -1 : 1
  return a.log.blockIndex - b.log.blockIndex
}

async function inParallel<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += PARALLEL_READS) {
    results.push(...(await Promise.all(items.slice(at, at + PARALLEL_READS).map(ask))))
  }
  return results
}
