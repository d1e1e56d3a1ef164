import {
  type ChainLog,
  type ChainReader,
  fitsFilter,
  type LogFilter,
  NodeUnavailable,
  type Receipt,
} from '@dct/chain-clients'
import type { Abi, Hex } from 'viem'
import { bytesOf } from './bytes.ts'
import type { ChainName } from './chain.tables.ts'
import { type ChainEvent, decodeEvent, type Stream } from './chain-event.ts'

export type StreamEvent = { stream: Stream; event: ChainEvent }

const PARALLEL_READS = 8

/**
 * Collects all events of the streams in a range of final blocks, in chain order. A range query alone proves little, so
 * each log is checked: its block must be the one at that height, its transaction must be final, and the transaction's
 * receipt must contain exactly the logs that were found. Logs of failed transactions are dropped.
 * @throws NodeUnavailable when a check fails
 */
export async function collectEvents(
  source: { chain: ChainName; reader: ChainReader; streams: readonly Stream[] },
  range: { from: bigint; to: bigint },
): Promise<StreamEvent[]> {
  const found: Found[] = []
  for (const stream of source.streams) {
    const filters = await filtersOf(stream)
    found.push(...(await findLogs(source.reader, { stream, filters }, range)))
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

type Found = { stream: Stream; filters: readonly LogFilter[]; abi: Abi; log: ChainLog }

async function findLogs(
  reader: ChainReader,
  { stream, filters }: { stream: Stream; filters: readonly LogFilter[] },
  range: { from: bigint; to: bigint },
): Promise<Found[]> {
  const byKey = new Map<string, Found>()
  for (const filter of filters) {
    for (const log of await reader.logs(filter, range)) {
      const contract = stream.contracts.find(({ address }) => address === log.address)
      const isInRange = log.blockNumber >= range.from && log.blockNumber <= range.to
      if (contract === undefined || !isInRange || !fitsFilter(filter, log)) {
        throw new NodeUnavailable('a node returned logs that do not match the filter')
      }
      byKey.set(keyOf(log), { stream, filters, abi: contract.abi, log })
    }
  }
  return [...byKey.values()]
}

/** The filters of everything that a stream watches. */
export async function filtersOf(stream: Stream): Promise<LogFilter[]> {
  const addresses = stream.contracts.map(({ address }) => address)
  const topicFilters = await stream.topicFilters?.()
  return topicFilters?.map((topics) => ({ addresses, topics })) ?? [{ addresses }]
}

/**
 * Checks that each log is in the block currently at its height.
 * @returns the block times by block number
 * @throws NodeUnavailable when a log is not in that block
 */
async function checkBlocks(reader: ChainReader, found: readonly Found[]) {
  const numbers = [...new Set(found.map(({ log }) => log.blockNumber))]
  const blocks = await inParallel(numbers, (number) => reader.block(number))
  const byNumber = new Map(blocks.map((block) => [block?.number, block]))
  for (const { log } of found) {
    if (byNumber.get(log.blockNumber)?.hash !== log.blockHash) {
      throw new NodeUnavailable(`a log is not in block ${log.blockNumber}`)
    }
  }
  return new Map(blocks.map((block) => [block?.number, block?.time]))
}

/** The position of each log within its transaction. Logs of failed transactions have none. */
async function placesInTransactions(
  reader: ChainReader,
  found: readonly Found[],
): Promise<Map<string, number>> {
  const hashes = [...new Set(found.map(({ log }) => log.txHash))]
  const receipts = await inParallel(hashes, (hash) => reader.receipt(hash))
  const places = new Map<string, number>()
  hashes.forEach((hash, at) => {
    const own = found.filter(({ log }) => log.txHash === hash)
    for (const [key, place] of placesIn(receipts[at], own)) places.set(key, place)
  })
  return places
}

function placesIn(receipt: Receipt | undefined, own: readonly Found[]): [string, number][] {
  const [first] = own
  const isThere = receipt?.kind === 'final' && receipt.blockNumber === first?.log.blockNumber
  if (!isThere) {
    throw new NodeUnavailable('a transaction in a final block has no final receipt yet')
  }
  if (receipt.failure !== null) return []
  const filters = [...new Set(own.flatMap((found) => found.filters))]
  const wanted = receipt.logs.flatMap((log, place) =>
    filters.some((filter) => fitsFilter(filter, log)) ? [{ log, place }] : [],
  )
  const isSame =
    wanted.length === own.length &&
    wanted.every(
      ({ log }, at) => canonical(log) === canonical(own[at]?.log ?? { topics: [], data: '0x' }),
    )
  if (!isSame) throw new NodeUnavailable(`logs and receipt of ${receipt.txHash} differ`)
  return wanted.flatMap(({ place }, at) => {
    const log = own[at]?.log
    return log === undefined ? [] : [[keyOf(log), place] as [string, number]]
  })
}

function canonical(log: { topics: readonly Hex[]; data: Hex }): string {
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
