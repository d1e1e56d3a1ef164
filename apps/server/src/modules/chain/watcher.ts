import {
  type BlockRef,
  type ChainReader,
  NodesDisagree,
  NodeThrottled,
  NodeUnavailable,
} from '@dct/chain-clients'
import { greater } from '@dct/chain-clients/bigints'
import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { type Clock, msSince, realClock } from '../../platform/clock.ts'
import { type Db, inBooking, inTransaction } from '../../platform/database/db.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { type BlockRange, createBlockRange } from './block-range.ts'
import { bytesOf, hexOf } from './bytes.ts'
import * as q from './chain.queries.ts'
import type { ChainName } from './chain.tables.ts'
import type { Stream } from './chain-event.ts'
import { collectEvents } from './collect-events.ts'
import { readBlock } from './read-block.ts'
import { recordEvent } from './record-event.ts'

export type WatcherDeps = {
  db: Db
  chain: ChainName
  reader: ChainReader
  streams: readonly Stream[]
  log: Logger
  /** The first block to read: where the contracts were deployed. */
  startBlock: bigint
  /** The maximum number of blocks per step. Nodes limit it. */
  maxRange: number
  /** Real milliseconds between polls of a chain that has been fully read, because providers count requests. */
  pauseMs?: number | undefined
  /** Real time. Default: the system clock. */
  clock?: Clock
}

export type Watcher = Loop & {
  /** Steps until all final blocks are processed or the chain is halted. Always returns true. */
  catchUp(): Promise<boolean>
}

type State = { range: BlockRange; mayHaveAlarm: boolean }

const IDLE_NOTE_MS = 5_000

/**
 * Follows the final blocks of a chain. Each step is one transaction: it records the events of a range of blocks, calls
 * their handlers in order and moves the cursor, so repeating a step after a crash has no second effect. A final block
 * that was replaced halts the chain until an admin ends the halt, because no program can repair that.
 */
export function createWatcher(deps: WatcherDeps): Watcher {
  const state: State = { range: createBlockRange(deps.maxRange), mayHaveAlarm: true }
  const step = () => stepOnce(deps, state)
  return {
    name: `watcher ${deps.chain}`,
    ...(deps.pauseMs === undefined ? {} : { pauseMs: deps.pauseMs }),
    step,
    async catchUp() {
      while (!(await step()));
      return true
    },
  }
}

async function stepOnce(deps: WatcherDeps, state: State): Promise<boolean> {
  if (await q.isHalted(deps.db, deps.chain)) return true
  try {
    const isIdle = await readNext(deps, state)
    if (state.mayHaveAlarm) await clearDisagreement(deps)
    state.mayHaveAlarm = false
    return isIdle
  } catch (error) {
    // A query for too many blocks may also end in a timeout. When throttled, smaller ranges would mean more requests.
    const isPause = error instanceof NodeThrottled
    if (error instanceof NodeUnavailable && !isPause) state.range.refused()
    if (error instanceof NodesDisagree) {
      await alarmDisagreement(deps, error)
      state.mayHaveAlarm = true
    }
    throw error
  }
}

async function readNext(deps: WatcherDeps, state: State): Promise<boolean> {
  const { db, chain, reader } = deps
  const [final, head] = await Promise.all([reader.finalHead(), reader.headNumber()])
  // The head is at least as new as the final block, whatever the node reports.
  const headNumber = greater(head, final.number)
  const seen = { final, headNumber, observedAt: (deps.clock ?? realClock).now() }
  const cursor = await q.readCursor(db, chain)
  if (cursor === undefined) {
    await q.insertCursor(db, { chain, at: await firstBlock(deps, final), seen })
    return false
  }
  // A lagging node may show an older head; the cursor never moves back.
  if (final.number < cursor.block_number) return true
  const stored = await blockAt(reader, final, cursor.block_number)
  if (hexOf(cursor.block_hash) !== stored.hash) {
    await halt(deps, cursor, stored)
    return true
  }
  if (final.number === cursor.block_number) {
    await recordIdle(deps, seen, cursor)
    return true
  }
  const from = cursor.block_number
  const last = from + state.range.size()
  const to = last >= final.number ? final : await blockAt(reader, final, last)
  const events = await collectEvents(deps, { from: from + 1n, to: to.number })
  await inBooking(db, async (tx) => {
    // Move the cursor first: when two processes race, one moves it, and the other sees that and does nothing.
    if (!(await q.moveCursor(tx, { chain, from, to, seen }))) return
    for (const { stream, event } of events) {
      if (await recordEvent(tx, event, seen.observedAt)) await stream.handle(tx, event)
    }
  })
  state.range.answered(to.number - from)
  return to.number === final.number
}

/** The block before the first one to read. */
async function firstBlock({ reader, startBlock }: WatcherDeps, final: BlockRef): Promise<BlockRef> {
  if (startBlock > final.number + 1n) {
    throw new NodeUnavailable(`block ${startBlock}, the first to read, is not final yet`)
  }
  return blockAt(reader, final, startBlock > 0n ? startBlock - 1n : 0n)
}

async function blockAt(reader: ChainReader, final: BlockRef, number: bigint): Promise<BlockRef> {
  return number === final.number ? final : readBlock(reader, number)
}

async function recordIdle(
  { db, chain }: WatcherDeps,
  seen: q.Observation,
  cursor: { observed_at: Date },
): Promise<void> {
  if (msSince(cursor.observed_at, seen.observedAt) > IDLE_NOTE_MS)
    await q.recordObservation(db, chain, seen)
}

async function halt(
  { db, chain, log, clock = realClock }: WatcherDeps,
  cursor: { block_number: bigint; block_hash: Buffer },
  found: BlockRef,
): Promise<void> {
  const at = clock.now()
  log.fatal({ chain, block: `${cursor.block_number}` }, 'a final block was undone')
  await inTransaction(db, async (tx) => {
    await q.insertHalt(tx, {
      chain,
      blockNumber: cursor.block_number,
      expected: cursor.block_hash,
      found: bytesOf(found.hash),
      at,
    })
    await raiseAlarm(tx, {
      kind: 'chain_halt',
      subject: chain,
      message: `Block ${cursor.block_number} was final and has been replaced. ${chain} is no longer read.`,
      at,
    })
  })
}

async function alarmDisagreement(
  { db, chain, clock = realClock }: WatcherDeps,
  error: NodesDisagree,
): Promise<void> {
  const message = `${error.message}. ${chain} is not read until they agree.`
  await raiseAlarm(db, { kind: 'nodes_disagree', subject: chain, message, at: clock.now() })
}

async function clearDisagreement({ db, chain, clock = realClock }: WatcherDeps): Promise<void> {
  await clearAlarm(db, { kind: 'nodes_disagree', subject: chain, at: clock.now() })
}
