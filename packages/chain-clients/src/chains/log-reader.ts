import { lesser } from '../bigints.ts'
import { NodeUnavailable, NodeUnfit, NotOffered, RangeTooWide } from '../nodes/failures.ts'
import type { JsonRpc } from '../nodes/json-rpc.ts'
import type { ChainLog, ChainReader, LogFilter } from './chain-reader.ts'
import { createLogRange, type LogRange } from './log-range.ts'
import { readLogs } from './rpc-replies.ts'

/** Reads the logs of any range from a node, in as many parts as that node needs. */
export function createLogReader(
  rpc: JsonRpc,
  limit: LogRange = createLogRange(),
): Pick<ChainReader, 'logs' | 'logRange'> {
  /** Returns undefined if the range was perhaps too wide and has been narrowed. */
  const search = async (filter: LogFilter, range: { from: bigint; to: bigint }) => {
    const blocks = range.to - range.from + 1n
    try {
      const logs = await readLogs(rpc, filter, range)
      limit.answered(blocks)
      return logs
    } catch (error) {
      // A single block cannot be divided.
      if (!(error instanceof NodeUnavailable) || blocks === 1n) throw error
      if (isAboutWidth(error)) {
        limit.tooWide(blocks, error instanceof RangeTooWide ? error.allowed : undefined)
        return undefined
      }
      if (error.kind === 'down') limit.unanswered(blocks)
      throw error
    }
  }
  return {
    async logs(filter, { from, to }) {
      const logs: ChainLog[] = []
      for (let first = from; first <= to; ) {
        const last = lesser(to, first + limit.size() - 1n)
        const found = await search(filter, { from: first, to: last })
        if (found === undefined) continue
        logs.push(...found)
        first = last + 1n
      }
      return logs
    },
    async logRange(filter, to) {
      for (;;) {
        const size = limit.size()
        const from = to < size ? 0n : to - size + 1n
        if ((await search(filter, { from, to })) !== undefined) return size
      }
    },
  }
}

/** Whatever the words, an error that answers a search of several blocks may be about their number. */
function isAboutWidth(error: NodeUnavailable): boolean {
  return error instanceof RangeTooWide || error instanceof NotOffered || error instanceof NodeUnfit
}
