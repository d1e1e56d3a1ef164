import { RangeTooWide } from '../nodes/failures.ts'
import type { JsonRpc } from '../nodes/json-rpc.ts'
import type { ChainLog, ChainReader } from './chain-reader.ts'
import { createLogRange, type LogRange } from './log-range.ts'
import { readLogs } from './read-rpc.ts'

/** Reads the logs of any range from a node, in as many parts as that node needs. */
export function createLogReader(
  rpc: JsonRpc,
  limit: LogRange = createLogRange(),
): ChainReader['logs'] {
  return async (filter, { from, to }) => {
    const logs: ChainLog[] = []
    for (let first = from; first <= to; ) {
      const last = lesser(to, first + limit.size() - 1n)
      try {
        logs.push(...(await readLogs(rpc, filter, { from: first, to: last })))
        first = last + 1n
      } catch (error) {
        // A single block cannot be divided.
        if (!(error instanceof RangeTooWide) || last === first) throw error
        limit.tooWide(last - first + 1n, error.allowed)
      }
    }
    return logs
  }
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
