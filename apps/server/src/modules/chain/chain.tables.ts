import type { Generated, GeneratedAlways } from 'kysely'
import type { Hex } from 'viem'
import { tablesOf } from '../../platform/database/db.ts'

export type ChainName = 'TRON' | 'BSC'

/** Figures that the chain itself keeps, by name, as decimal strings. */
export type Figures = Readonly<Record<string, string>>

export type ChainCursorTable = {
  chain: ChainName
  block_number: bigint
  block_hash: Buffer
  block_time: Date
  /** The newest block up to which the chain's own figures agreed with its events; null before the first comparison. */
  proved_number: Generated<bigint | null>
  /** The time of that block. */
  proved_time: Generated<Date | null>
  /** Those figures. */
  proved_figures: Generated<Figures | null>
  /** The newest final block seen. */
  final_number: bigint
  final_time: Date
  /** The newest block seen, final or not. */
  head_number: bigint
  /** Real time of that observation. */
  observed_at: Date
}

export type ChainEventTable = {
  chain: ChainName
  tx_hash: Buffer
  /** The log's position within its transaction, which a reorganisation does not change. */
  log_index: number
  block_number: bigint
  block_hash: Buffer
  block_time: Date
  address: Buffer
  name: string
  args: Record<string, string>
  /**
   * When the event was found to be gone from the chain although its block had been final. Its bookings remain.
   */
  undone_at: Date | null
}

/** An event in the form shown to admins. */
export type ShownEvent = {
  name: string
  txHash: Hex
  logIndex: number
  block: string
  args: Readonly<Record<string, string>>
}

/** How a chain differs from what was read before the halt. Stored permanently with the halt. */
export type HaltChanges = {
  /** The range of blocks that were read again, both ends included. */
  from: string
  to: string
  /** The current hash of the halted block. */
  hash: Hex
  /** Booked, but no longer on chain: the transactions were undone, and may be included again in a later block. */
  undone: ShownEvent[]
  /** On chain now, but not booked. */
  added: ShownEvent[]
  /** Booked, but on chain with different content. */
  changed: ShownEvent[]
  /** Number of booked events that are in another block now. */
  moved: number
}

/** A final block that was later replaced by another. While `ended_at` is null, nothing is read from the chain. */
export type ChainHaltTable = {
  id: GeneratedAlways<bigint>
  chain: ChainName
  block_number: bigint
  expected_hash: Buffer
  found_hash: Buffer
  halted_at: Date
  ended_at: Date | null
  /** How the chain differed from the books when the halt was ended. */
  changes: HaltChanges | null
}

/** What one of the service's addresses is or was used for. */
export type OwnAddressRole = 'operator' | 'payout_wallet' | 'fee_receiver' | 'payout_operator'

export type OwnAddressTable = {
  chain: ChainName
  address: Buffer
  role: OwnAddressRole
  /** Real time of its first use. */
  since: Date
}

export type ChainTables = {
  chain_cursor: ChainCursorTable
  chain_event: ChainEventTable
  chain_halt: ChainHaltTable
  own_address: OwnAddressTable
}

export const own = tablesOf<ChainTables>()
