import type { Generated } from 'kysely'

export type ChainName = 'TRON' | 'BSC'

export type ChainCursorTable = {
  chain: ChainName
  block_number: bigint
  block_hash: Buffer
  block_time: Date
  /** Through which block everything was looked for a second time. */
  rechecked_number: Generated<bigint>
  /** The newest final block that was seen. */
  final_number: bigint
  final_time: Date
  /** The newest block of all that was seen. */
  head_number: bigint
  /** Real time of that look. */
  observed_at: Date
}

export type ChainEventTable = {
  chain: ChainName
  tx_hash: Buffer
  /** The log's place in its transaction, which no reorganisation changes. */
  log_index: number
  block_number: bigint
  block_hash: Buffer
  block_time: Date
  address: Buffer
  name: string
  args: Record<string, string>
}

export type ChainHaltTable = {
  chain: ChainName
  block_number: bigint
  expected_hash: Buffer
  found_hash: Buffer
  halted_at: Date
}

declare module '../../platform/db.ts' {
  interface DB {
    chain_cursor: ChainCursorTable
    chain_event: ChainEventTable
    chain_halt: ChainHaltTable
  }
}
