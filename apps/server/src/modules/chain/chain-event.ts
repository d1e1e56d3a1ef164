import { type Abi, decodeEventLog, type Hex } from 'viem'
import type { Tx } from '../../platform/db.ts'
import type { ChainName } from './chain.tables.ts'

/** A decoded event of a final, successful transaction. Numbers are decimal texts, addresses lower-case hex. */
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

/** What a watcher looks for, and what is to be done with what it finds. Streams of one watcher do not overlap. */
export type Stream = {
  name: string
  contracts: readonly { address: Hex; abi: Abi }[]
  /** Logs that fit any of these; left out: all logs of the contracts. */
  topicFilters?: readonly (readonly (Hex | readonly Hex[] | null)[])[]
  /** Called once for each event, in the order of the chain, in the transaction that records it. */
  handle(tx: Tx, event: ChainEvent): Promise<void>
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
    return { name: decoded.eventName ?? '', args: spellArgs(decoded.args) }
  } catch {
    // Contracts emit events that we have no use for; viem tells that only by throwing.
    return undefined
  }
}

function spellArgs(args: unknown): Record<string, string> {
  const named = typeof args === 'object' && args !== null ? Object.entries(args) : []
  return Object.fromEntries(
    named.map(([name, value]) => [name, isHex(value) ? value.toLowerCase() : String(value)]),
  )
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value)
}
