import type { BlockRef } from '@dct/chain-clients'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import { bytesOf } from './bytes.ts'
import type { ChainName } from './chain.tables.ts'
import type { ChainEvent } from './chain-event.ts'

export type Observation = { final: BlockRef; headNumber: bigint; observedAt: Date }

/** How far a chain was read, and what was last seen of it. */
export type ChainFacts = {
  chain: ChainName
  /** Everything up to this block was processed. */
  blockNumber: bigint
  blockTime: Date
  finalNumber: bigint
  finalTime: Date
  headNumber: bigint
  /** Real time of the last look at the chain. */
  observedAt: Date
  isHalted: boolean
}

/** Facts of the chains that are watched, in the order of their names. A chain that was never read is left out. */
export async function chainFacts(db: DbOrTx): Promise<ChainFacts[]> {
  const rows = await db
    .selectFrom('chain_cursor as c')
    .leftJoin('chain_halt as h', 'h.chain', 'c.chain')
    .selectAll('c')
    .select('h.halted_at')
    .orderBy('c.chain')
    .execute()
  return rows.map((row) => ({
    chain: row.chain,
    blockNumber: row.block_number,
    blockTime: row.block_time,
    finalNumber: row.final_number,
    finalTime: row.final_time,
    headNumber: row.head_number,
    observedAt: row.observed_at,
    isHalted: row.halted_at !== null,
  }))
}

/** Facts of one chain; undefined before it was first read. */
export async function chainFactsOf(db: DbOrTx, chain: ChainName): Promise<ChainFacts | undefined> {
  return (await chainFacts(db)).find((facts) => facts.chain === chain)
}

/** The newest block that was seen of a chain; undefined before it was first read. */
export async function headNumberOf(db: DbOrTx, chain: ChainName): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('chain_cursor')
    .select('head_number')
    .where('chain', '=', chain)
    .executeTakeFirst()
  return row?.head_number
}

export async function readCursor(db: DbOrTx, chain: ChainName) {
  return db
    .selectFrom('chain_cursor')
    .select(['block_number', 'block_hash', 'rechecked_number', 'observed_at'])
    .where('chain', '=', chain)
    .executeTakeFirst()
}

/** Sets a chain's first cursor. Another process may have been faster. */
export async function insertCursor(
  db: DbOrTx,
  first: { chain: ChainName; at: BlockRef; seen: Observation },
): Promise<void> {
  await db
    .insertInto('chain_cursor')
    .values({
      chain: first.chain,
      rechecked_number: first.at.number,
      ...cursorColumns(first.at),
      ...observationColumns(first.seen),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Moves the cursor on. False when another process has moved it meanwhile. */
export async function moveCursor(
  tx: Tx,
  move: { chain: ChainName; from: bigint; to: BlockRef; seen: Observation },
): Promise<boolean> {
  const moved = await tx
    .updateTable('chain_cursor')
    .set({ ...cursorColumns(move.to), ...observationColumns(move.seen) })
    .where('chain', '=', move.chain)
    .where('block_number', '=', move.from)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

/** Notes how far everything was looked for a second time. False when another process has noted it meanwhile. */
export async function moveRecheck(
  tx: Tx,
  move: { chain: ChainName; from: bigint; to: bigint },
): Promise<boolean> {
  const moved = await tx
    .updateTable('chain_cursor')
    .set({ rechecked_number: move.to })
    .where('chain', '=', move.chain)
    .where('rechecked_number', '=', move.from)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

export async function noteObservation(
  db: DbOrTx,
  chain: ChainName,
  seen: Observation,
): Promise<void> {
  await db
    .updateTable('chain_cursor')
    .set(observationColumns(seen))
    .where('chain', '=', chain)
    .execute()
}

function cursorColumns(block: BlockRef) {
  return {
    block_number: block.number,
    block_hash: bytesOf(block.hash),
    block_time: block.time,
  }
}

function observationColumns(seen: Observation) {
  return {
    final_number: seen.final.number,
    final_time: seen.final.time,
    head_number: seen.headNumber,
    observed_at: seen.observedAt,
  }
}

export async function isHalted(db: DbOrTx, chain: ChainName): Promise<boolean> {
  const row = await db
    .selectFrom('chain_halt')
    .select('chain')
    .where('chain', '=', chain)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertHalt(
  tx: Tx,
  halt: { chain: ChainName; blockNumber: bigint; expected: Buffer; found: Buffer; at: Date },
): Promise<void> {
  await tx
    .insertInto('chain_halt')
    .values({
      chain: halt.chain,
      block_number: halt.blockNumber,
      expected_hash: halt.expected,
      found_hash: halt.found,
      halted_at: halt.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Records an event. False when it is known already. */
export async function insertEvent(tx: Tx, event: ChainEvent): Promise<boolean> {
  const inserted = await tx
    .insertInto('chain_event')
    .values({
      chain: event.chain,
      tx_hash: event.txHash,
      log_index: event.logIndex,
      block_number: event.blockNumber,
      block_hash: event.blockHash,
      block_time: event.blockTime,
      address: event.address,
      name: event.name,
      args: event.args,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The recorded events of one transaction, in order. Only final, successful transactions have any. */
export async function eventsOf(
  db: DbOrTx,
  key: { chain: ChainName; txHash: Buffer },
): Promise<ChainEvent[]> {
  const rows = await db
    .selectFrom('chain_event')
    .selectAll()
    .where('chain', '=', key.chain)
    .where('tx_hash', '=', key.txHash)
    .orderBy('log_index')
    .execute()
  return rows.map((row) => ({
    chain: row.chain,
    txHash: row.tx_hash,
    logIndex: row.log_index,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    blockTime: row.block_time,
    address: row.address,
    name: row.name,
    args: row.args,
  }))
}
