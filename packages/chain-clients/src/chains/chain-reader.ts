import type { Hex } from 'viem'

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

/**
 * The outcome of a transaction in a block. `failure` is why it had no effect; null when it succeeded. `logs` are all
 * its logs in order; empty when it failed.
 */
export type Outcome = {
  txHash: Hex
  blockNumber: bigint
  failure: string | null
  logs: readonly LogEntry[]
  /** What its sender paid for it, in sun or wei. */
  fee: bigint
}

/** The outcome of a transaction that can never be undone. */
export type FinalReceipt = Outcome & { kind: 'final'; blockTime: Date }

/**
 * The state of a transaction. Only `final` is certain. `unknown`: no node has it in a block. `mined`: in a block that is
 * not final, or nodes do not agree.
 */
export type Receipt = { kind: 'unknown' } | { kind: 'mined' } | FinalReceipt

/** A transaction that a node knows, mined or pending. `nonce` is null on Tron, which has none. */
export type KnownTransaction = {
  hash: Hex
  from: Hex
  to: Hex | null
  input: Hex
  nonce: number | null
}

/** A call of a contract's view. */
export type ViewCall = { to: Hex; data: Hex }

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
  /** The state of a transaction: the one rule of success and of finality. */
  receipt(txHash: Hex): Promise<Receipt>
  /**
   * The successful transactions of a final block with a log that matches any of the filters, in the order of the block:
   * read from the receipts of the whole block, not from an index of logs.
   */
  receiptsIn(block: bigint, filters: readonly LogFilter[]): Promise<Outcome[]>
  /** Null when no node knows the transaction. */
  transaction(txHash: Hex): Promise<KnownTransaction | null>
  /**
   * Results of view calls on one final state, and the final block of that state: the given one, or the newest.
   * @throws StateGone when the node does not have the state of the given block (any more)
   * @throws CallFailed when a call cannot succeed there: no such contract, no such view, or it reverts
   */
  finalCall(calls: readonly ViewCall[], at?: BlockRef): Promise<{ at: BlockRef; results: Hex[] }>
}

/** Whether the transaction succeeded and has a log that matches any of the filters. */
export function hasMatch(receipt: Outcome, filters: readonly LogFilter[]): boolean {
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
