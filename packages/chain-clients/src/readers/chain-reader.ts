import type { Hex } from 'viem'
import { NodeUnavailable } from '../nodes/failures.ts'

export type BlockRef = { number: bigint; hash: Hex; time: Date }

/** Matches logs of any of the addresses whose topics match. A topic slot is one value, several, or null for any. */
export type LogFilter = {
  addresses: readonly Hex[]
  topics?: readonly (Hex | readonly Hex[] | null)[]
}

export type LogEntry = { address: Hex; topics: readonly Hex[]; data: Hex }

/** A log as a range query returns it. `blockIndex` is its index among all logs of its block. */
export type ChainLog = LogEntry & {
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
  blockIndex: number
}

/** The outcome of a final transaction. `logs` are all its logs in order; empty when it failed. */
export type FinalReceipt = {
  txHash: Hex
  blockNumber: bigint
  succeeded: boolean
  logs: readonly LogEntry[]
}

/** A transaction that a node knows, mined or pending. */
export type KnownTransaction = { hash: Hex; from: Hex; to: Hex | null; input: Hex }

/**
 * Reads one chain. Every method throws `NodeUnavailable` when there is no reliable answer: an error of a node, a
 * time-out or throttling is never taken for "not found". Hex answers are lower case.
 */
export type ChainReader = {
  /** The chain id of the network. */
  chainId(): Promise<number>
  /** The newest block that can never be undone. */
  finalHead(): Promise<BlockRef>
  /** The number of the newest block, final or not. */
  headNumber(): Promise<bigint>
  /** The block at that height; null when the node has not reached it. */
  block(number: bigint): Promise<BlockRef | null>
  /**
   * Logs of the range, both ends included, in no particular order. They do not show whether their transaction
   * succeeded.
   */
  logs(filter: LogFilter, range: { from: bigint; to: bigint }): Promise<ChainLog[]>
  /** How many blocks, up to block `to`, the node searches for logs in one request: found by trying. */
  logRange(filter: LogFilter, to: bigint): Promise<bigint>
  /** The code at an address; `0x` if there is none. */
  code(address: Hex): Promise<Hex>
  /** Null while the transaction is not final. */
  finalReceipt(txHash: Hex): Promise<FinalReceipt | null>
  /**
   * The successful transactions of a final block with a log that matches any of the filters, in the order of the block:
   * read from the receipts of the whole block, not from an index of logs.
   */
  receiptsIn(block: bigint, filters: readonly LogFilter[]): Promise<FinalReceipt[]>
  /** Null when no node knows the transaction. */
  transaction(txHash: Hex): Promise<KnownTransaction | null>
  /**
   * Results of view calls on one final state, and the final block of that state: the given one, or the newest.
   * @throws StateGone when the node does not have the state of the given block (any more)
   * @throws CallFailed when a call cannot succeed there: no such contract, no such view, or it reverts
   */
  finalCall(
    calls: readonly { to: Hex; data: Hex }[],
    at?: BlockRef,
  ): Promise<{ at: BlockRef; results: Hex[] }>
}

/** A node ran a view call, and it failed. */
export class CallFailed extends NodeUnavailable {
  override name = 'CallFailed'
  override readonly isAnswer = true
}

/** The state of that block is not available now, but that of a newer one is. */
export class StateGone extends NodeUnavailable {
  override name = 'StateGone'
  override readonly isAnswer = true
}

/** Whether the transaction succeeded and has a log that matches any of the filters. */
export function hasMatch(receipt: FinalReceipt, filters: readonly LogFilter[]): boolean {
  return receipt.logs.some((log) => filters.some((filter) => fitsFilter(filter, log)))
}

/** Whether a log matches the filter. */
export function fitsFilter(filter: LogFilter, log: LogEntry): boolean {
  if (!filter.addresses.includes(log.address)) return false
  return (filter.topics ?? []).every((wanted, slot) => {
    const topic = log.topics[slot]
    if (wanted === null) return true
    if (topic === undefined) return false
    return typeof wanted === 'string' ? wanted === topic : wanted.includes(topic)
  })
}
