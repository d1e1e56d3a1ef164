import type { BlockRef } from '@dct/chain-clients'
import type { Hex } from 'viem'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { bytesOf, hexOf } from './bytes.ts'
import { EVENT_COLUMNS } from './chain.queries.ts'
import { type ChainName, type HaltChanges, own } from './chain.tables.ts'
import type { ChainEvent } from './chain-event.ts'

export type OpenHalt = {
  id: bigint
  blockNumber: bigint
  expectedHash: Hex
  foundHash: Hex
  haltedAt: Date
}

/** The halt that stops a chain from being read; undefined when the chain is not halted. */
export async function openHalt(db: DbOrTx, chain: ChainName): Promise<OpenHalt | undefined> {
  const row = await own(db)
    .selectFrom('chain_halt')
    .select(['id', 'block_number', 'expected_hash', 'found_hash', 'halted_at'])
    .where('chain', '=', chain)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      blockNumber: row.block_number,
      expectedHash: hexOf(row.expected_hash),
      foundHash: hexOf(row.found_hash),
      haltedAt: row.halted_at,
    }
  )
}

/** Ends a halt. False when it has already been ended. */
export async function closeHalt(
  tx: Tx,
  end: { id: bigint; changes: HaltChanges; at: Date },
): Promise<boolean> {
  const closed = await own(tx)
    .updateTable('chain_halt')
    .set({ ended_at: end.at, changes: end.changes })
    .where('id', '=', end.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return closed.numUpdatedRows === 1n
}

/** The newest block below a height that has recorded events. */
export async function newestRecordedBlock(
  db: DbOrTx,
  { chain, below }: { chain: ChainName; below: bigint },
): Promise<{ number: bigint; hash: Hex } | undefined> {
  const row = await own(db)
    .selectFrom('chain_event')
    .select(['block_number', 'block_hash'])
    .where('chain', '=', chain)
    .where('undone_at', 'is', null)
    .where('block_number', '<', below)
    .orderBy('block_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { number: row.block_number, hash: hexOf(row.block_hash) }
}

/** Recorded events of a range, both ends included, ordered by block. */
export async function eventsBetween(
  db: DbOrTx,
  { chain, from, to }: { chain: ChainName; from: bigint; to: bigint },
): Promise<ChainEvent[]> {
  return own(db)
    .selectFrom('chain_event')
    .select(EVENT_COLUMNS)
    .where('chain', '=', chain)
    .where('undone_at', 'is', null)
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .orderBy('block_number')
    .orderBy('tx_hash')
    .orderBy('log_index')
    .execute()
}

/** The columns that identify an event, whatever block contains it. */
function keyColumns({ chain, txHash, logIndex }: ChainEvent) {
  return { chain, tx_hash: txHash, log_index: logIndex }
}

/** Marks an event as no longer on chain. Its bookings remain. */
export async function markUndone(tx: Tx, event: ChainEvent, at: Date): Promise<void> {
  await own(tx)
    .updateTable('chain_event')
    .set({ undone_at: at })
    .where((eb) => eb.and(keyColumns(event)))
    .execute()
}

/** Forgets an event that is no longer on chain and whose bookings were taken back. */
export async function forgetEvent(tx: Tx, event: ChainEvent): Promise<void> {
  await own(tx)
    .deleteFrom('chain_event')
    .where((eb) => eb.and(keyColumns(event)))
    .execute()
}

/** Updates recorded events to the blocks that contain them now. */
export async function moveEvents(tx: Tx, events: readonly ChainEvent[]): Promise<void> {
  for (const event of events) {
    await own(tx)
      .updateTable('chain_event')
      .set({
        block_number: event.blockNumber,
        block_hash: event.blockHash,
        block_time: event.blockTime,
      })
      .where((eb) => eb.and(keyColumns(event)))
      .where('undone_at', 'is', null)
      .execute()
  }
}

/**
 * Lets the watcher continue from the same height with the block that is there now. `from` is the first doubtful block:
 * figures that were compared with events of it, or of later ones, are no longer valid.
 */
export async function continueFrom(
  tx: Tx,
  { chain, block, from }: { chain: ChainName; block: BlockRef; from: bigint },
): Promise<void> {
  await own(tx)
    .updateTable('chain_cursor')
    .set({ block_hash: bytesOf(block.hash), block_time: block.time })
    .where('chain', '=', chain)
    .where('block_number', '=', block.number)
    .execute()
  await own(tx)
    .updateTable('chain_cursor')
    .set({ proved_number: null, proved_time: null, proved_figures: null })
    .where('chain', '=', chain)
    .where('proved_number', '>=', from)
    .execute()
}
