import { type Abi, decodeEventLog, type Hex } from 'viem'
import type { Tx } from '../../platform/database/db.ts'
import type { ChainName } from './chain.tables.ts'

/** A decoded event of a final, successful transaction. Numbers are decimal strings, addresses lower-case hex. */
export type ChainEvent = {
  chain: ChainName
  txHash: Buffer
  logIndex: number
  blockNumber: bigint
  blockHash: Buffer
  blockTime: Date
  address: Buffer
  name: string
  args: Readonly<Record<string, string>>
}

export type TopicFilters = readonly (readonly (Hex | readonly Hex[] | null)[])[]

/** The events that a watcher looks for, and their handler. The streams of one watcher must not overlap. */
export type Stream = {
  name: string
  contracts: readonly { address: Hex; abi: Abi }[]
  /** Logs that match any of these filters are read; called before each read. If omitted, all logs of the contracts. */
  topicFilters?: () => Promise<TopicFilters>
  /** Called once per event, in chain order, in the transaction that records the event. */
  handle(tx: Tx, event: ChainEvent): Promise<void>
  /**
   * Called for an event that is gone from the chain for good, in the transaction that ends the halt: takes back what was
   * booked for it, so that the event is new if it returns.
   * @returns false if its bookings remain, and an admin has to decide
   */
  undo?(tx: Tx, event: ChainEvent): Promise<boolean>
}

/** The event's name and arguments; undefined when the contract's ABI does not know it. */
export function decodeEvent(
  abi: Abi,
  log: { topics: readonly Hex[]; data: Hex },
): { name: string; args: Record<string, string> } | undefined {
  const [signature, ...rest] = log.topics
  if (signature === undefined) return undefined
  try {
    const decoded = decodeEventLog({ abi, data: log.data, topics: [signature, ...rest] })
    return { name: decoded.eventName ?? '', args: formatArgs(decoded.args) }
  } catch {
    // Contracts also emit events that we do not use; viem reports an unknown event only by throwing.
    return undefined
  }
}

function formatArgs(args: unknown): Record<string, string> {
  const named = typeof args === 'object' && args !== null ? Object.entries(args) : []
  return Object.fromEntries(
    named.map(([name, value]) => [name, isHex(value) ? value.toLowerCase() : String(value)]),
  )
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value)
}
