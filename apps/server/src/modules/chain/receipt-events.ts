import { type ChainReader, fitsFilter, type LogFilter } from '@dct/chain-clients'
import { bytesOf } from './bytes.ts'
import type { ChainName } from './chain.tables.ts'
import { decodeEvent, type Stream } from './chain-event.ts'
import { filtersOf, type StreamEvent } from './collect-events.ts'
import { readBlock } from './read-block.ts'

type Source = { chain: ChainName; reader: ChainReader; streams: readonly Stream[] }

/**
 * Collects all events of the streams in one final block, in chain order, from the receipts of the whole block, without
 * relying on a node's log index.
 * @throws NodeUnavailable
 */
export async function eventsInReceipts(source: Source, number: bigint): Promise<StreamEvent[]> {
  const { chain, reader, streams } = source
  const watched: { stream: Stream; filters: readonly LogFilter[] }[] = []
  for (const stream of streams) watched.push({ stream, filters: await filtersOf(stream) })
  const receipts = await reader.receiptsIn(
    number,
    watched.flatMap(({ filters }) => filters),
  )
  if (receipts.length === 0) return []
  const block = await readBlock(reader, number)
  return receipts.flatMap(({ txHash, logs }) =>
    logs.flatMap((log, logIndex) => {
      const found = watched.find(({ filters }) => filters.some((one) => fitsFilter(one, log)))
      const contract = found?.stream.contracts.find(({ address }) => address === log.address)
      const decoded = contract === undefined ? undefined : decodeEvent(contract.abi, log)
      if (found === undefined || decoded === undefined) return []
      const event = {
        ...{ chain, logIndex, txHash: bytesOf(txHash), address: bytesOf(log.address) },
        ...{ blockNumber: number, blockHash: bytesOf(block.hash), blockTime: block.time },
        ...decoded,
      }
      return [{ stream: found.stream, event }]
    }),
  )
}
