import type { Hex } from 'viem'

export type BlockRef = { number: bigint; hash: Hex; time: Date }

/** What to look for: logs of any of the addresses whose topics fit. A topic slot is one value, several, or any. */
export type LogFilter = {
  addresses: readonly Hex[]
  topics?: readonly (Hex | readonly Hex[] | null)[]
}

export type LogEntry = { address: Hex; topics: readonly Hex[]; data: Hex }

/** A log as a range query answers it. `blockIndex` is its place among all logs of its block. */
export type ChainLog = LogEntry & {
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
  blockIndex: number
}

/** What a final transaction did. `logs` are all of its logs in order; empty when it failed. */
export type FinalReceipt = {
  txHash: Hex
  blockNumber: bigint
  succeeded: boolean
  logs: readonly LogEntry[]
}

/** A transaction that a node knows, in a block or waiting for one. */
export type KnownTransaction = { hash: Hex; from: Hex; to: Hex | null; input: Hex }

/**
 * Reads one chain. Every method throws `NodeUnavailable` when nothing can be said: an error of a node, a time-out or a
 * throttle is never read as "there is none". Hex answers are lower case.
 */
export type ChainReader = {
  /** The newest block that can never be undone. */
  finalHead(): Promise<BlockRef>
  /** The number of the newest block of all. */
  headNumber(): Promise<bigint>
  /** The block of that height; null when the node has not got that far. */
  block(number: bigint): Promise<BlockRef | null>
  /** Logs of the range, both ends included, in no order. They say nothing of their transaction's success. */
  logs(filter: LogFilter, range: { from: bigint; to: bigint }): Promise<ChainLog[]>
  /** Null while the transaction is not final. */
  finalReceipt(txHash: Hex): Promise<FinalReceipt | null>
  /** Null when no node knows the transaction. */
  transaction(txHash: Hex): Promise<KnownTransaction | null>
  /** Results of view calls on one final state, and the final block they hold at. */
  finalCall(calls: readonly { to: Hex; data: Hex }[]): Promise<{ at: BlockRef; results: Hex[] }>
}

/** Whether a log is one of those that the filter asks for. */
export function fitsFilter(filter: LogFilter, log: LogEntry): boolean {
  if (!filter.addresses.includes(log.address)) return false
  return (filter.topics ?? []).every((wanted, slot) => {
    const topic = log.topics[slot]
    if (wanted === null) return true
    if (topic === undefined) return false
    return typeof wanted === 'string' ? wanted === topic : wanted.includes(topic)
  })
}
