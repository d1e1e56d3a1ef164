import type { BlockRef } from '@dct/chain-clients'
import { sql } from 'kysely'
import { hasOpenAlarm } from '../../platform/alarms/alarms.ts'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import { bytesOf } from './bytes.ts'
import { type ChainName, type Figures, own } from './chain.tables.ts'
import type { ChainEvent } from './chain-event.ts'

export type Observation = { final: BlockRef; headNumber: bigint; observedAt: Date }

/** How far a chain was read, and its latest known state. */
export type ChainFacts = {
  chain: ChainName
  /** Everything up to this block was processed. */
  blockNumber: bigint
  blockTime: Date
  finalNumber: bigint
  finalTime: Date
  headNumber: bigint
  /** Real time of the last observation of the chain. */
  observedAt: Date
  isHalted: boolean
}

/** Facts about the watched chains, ordered by name. Chains that were never read are left out. */
export async function chainFacts(db: DbOrTx): Promise<ChainFacts[]> {
  return own(db)
    .selectFrom('chain_cursor as c')
    .leftJoin('chain_halt as h', (join) =>
      join.onRef('h.chain', '=', 'c.chain').on('h.ended_at', 'is', null),
    )
    .select([
      'c.chain',
      'c.block_number as blockNumber',
      'c.block_time as blockTime',
      'c.final_number as finalNumber',
      'c.final_time as finalTime',
      'c.head_number as headNumber',
      'c.observed_at as observedAt',
      sql<boolean>`h.halted_at is not null`.as('isHalted'),
    ])
    .orderBy('c.chain')
    .execute()
}

/** Facts about one chain; undefined before its first read. */
export async function chainFactsOf(db: DbOrTx, chain: ChainName): Promise<ChainFacts | undefined> {
  return (await chainFacts(db)).find((facts) => facts.chain === chain)
}

/** Number of the newest block seen on a chain; undefined before its first read. */
export async function headNumberOf(db: DbOrTx, chain: ChainName): Promise<bigint | undefined> {
  const row = await own(db)
    .selectFrom('chain_cursor')
    .select('head_number')
    .where('chain', '=', chain)
    .executeTakeFirst()
  return row?.head_number
}

export async function readCursor(db: DbOrTx, chain: ChainName) {
  return own(db)
    .selectFrom('chain_cursor')
    .select(['block_number', 'block_hash', 'observed_at'])
    .where('chain', '=', chain)
    .executeTakeFirst()
}

/** Creates a chain's cursor. Does nothing if another process already created it. */
export async function insertCursor(
  db: Db | Tx,
  first: { chain: ChainName; at: BlockRef; seen: Observation },
): Promise<void> {
  await own(db)
    .insertInto('chain_cursor')
    .values({
      chain: first.chain,
      ...cursorColumns(first.at),
      ...observationColumns(first.seen),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Advances the cursor. False when another process has advanced it in the meantime. */
export async function moveCursor(
  tx: Tx,
  move: { chain: ChainName; from: bigint; to: BlockRef; seen: Observation },
): Promise<boolean> {
  const moved = await own(tx)
    .updateTable('chain_cursor')
    .set({ ...cursorColumns(move.to), ...observationColumns(move.seen) })
    .where('chain', '=', move.chain)
    .where('block_number', '=', move.from)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

export async function recordObservation(
  db: Db | Tx,
  chain: ChainName,
  seen: Observation,
): Promise<void> {
  await own(db)
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

/** Whether a final block of the chain was undone and no admin has ended the halt yet. */
export async function isHalted(db: DbOrTx, chain: ChainName): Promise<boolean> {
  const row = await own(db)
    .selectFrom('chain_halt')
    .select('chain')
    .where('chain', '=', chain)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertHalt(
  tx: Tx,
  halt: { chain: ChainName; blockNumber: bigint; expected: Buffer; found: Buffer; at: Date },
): Promise<void> {
  await own(tx)
    .insertInto('chain_halt')
    .values({
      chain: halt.chain,
      block_number: halt.blockNumber,
      expected_hash: halt.expected,
      found_hash: halt.found,
      halted_at: halt.at,
      ended_at: null,
      changes: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Records an event. `back`: it was booked, then undone, and is on chain again, perhaps in another block. */
export async function insertEvent(tx: Tx, event: ChainEvent): Promise<'new' | 'back' | 'known'> {
  const row = await own(tx)
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
      undone_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['chain', 'tx_hash', 'log_index'])
        .doUpdateSet((eb) => ({
          block_number: eb.ref('excluded.block_number'),
          block_hash: eb.ref('excluded.block_hash'),
          block_time: eb.ref('excluded.block_time'),
          undone_at: null,
        }))
        .where('chain_event.undone_at', 'is not', null),
    )
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirst()
  return row === undefined ? 'known' : row.is_new ? 'new' : 'back'
}

/** The chain events of these transactions. */
export async function eventsOfTransactions(db: DbOrTx, hashes: readonly Buffer[]) {
  if (hashes.length === 0) return []
  return own(db)
    .selectFrom('chain_event')
    .select(['chain', 'name', 'tx_hash', 'block_number', 'block_time'])
    .where('chain', 'in', ['TRON', 'BSC'])
    .where('tx_hash', 'in', [...hashes])
    .orderBy('block_time')
    .orderBy('log_index')
    .limit(200)
    .execute()
}

/** The columns of a recorded event, under the names of `ChainEvent`. */
export const EVENT_COLUMNS = [
  'chain',
  'tx_hash as txHash',
  'log_index as logIndex',
  'block_number as blockNumber',
  'block_hash as blockHash',
  'block_time as blockTime',
  'address',
  'name',
  'args',
] as const

/** The figures of a chain at the newest block up to which they agreed with its events. */
export type Proof = { block: bigint; figures: Figures }

export async function readProof(db: DbOrTx, chain: ChainName): Promise<Proof | undefined> {
  const row = await own(db)
    .selectFrom('chain_cursor')
    .select(['proved_number', 'proved_figures'])
    .where('chain', '=', chain)
    .executeTakeFirst()
  if (row === undefined || row.proved_number === null) return undefined
  return { block: row.proved_number, figures: row.proved_figures ?? {} }
}

/**
 * The time up to which nothing is missing of what happened on a chain: its own figures agreed with the events that were
 * booked. What is not known to have happened by then did not happen. Undefined while that is not proven at all, or while
 * an admin has to look at a difference.
 */
export async function provenTime(db: DbOrTx, chain: ChainName): Promise<Date | undefined> {
  const doubt = { kind: 'events_incomplete', prefix: `${chain}:` } as const
  if (await hasOpenAlarm(db, doubt)) return undefined
  const row = await own(db)
    .selectFrom('chain_cursor')
    .select('proved_time')
    .where('chain', '=', chain)
    .executeTakeFirst()
  return row?.proved_time ?? undefined
}

/** Stores newer figures. Does nothing when another process has already stored others. */
export async function moveProof(
  db: Db,
  move: {
    chain: ChainName
    from: bigint | undefined
    to: { number: bigint; time: Date }
    figures: Figures
  },
): Promise<void> {
  await own(db)
    .updateTable('chain_cursor')
    .set({ proved_number: move.to.number, proved_time: move.to.time, proved_figures: move.figures })
    .where('chain', '=', move.chain)
    .where('proved_number', 'is not distinct from', move.from ?? null)
    .execute()
}

export type BookedEvent = { name: string; args: Readonly<Record<string, string>> }

/** The events on chain in the blocks after `after`, up to and including `to`. */
export async function eventsAfter(
  db: DbOrTx,
  range: { chain: ChainName; after: bigint; to: bigint },
): Promise<BookedEvent[]> {
  return own(db)
    .selectFrom('chain_event')
    .select(['name', 'args'])
    .where('chain', '=', range.chain)
    .where('block_number', '>', range.after)
    .where('block_number', '<=', range.to)
    .where('undone_at', 'is', null)
    .execute()
}
