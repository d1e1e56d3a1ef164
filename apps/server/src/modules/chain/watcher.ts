import { type BlockRef, type ChainReader, NodesDisagree, NodeUnavailable } from '@dct/chain-clients'
import { clearAlarm, raiseAlarm } from '../../platform/alarms.ts'
import { type Clock, realClock } from '../../platform/clock.ts'
import { type Db, inBooking, inTransaction } from '../../platform/db.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Loop } from '../../platform/loop.ts'
import { bytesOf, hexOf } from './bytes.ts'
import * as q from './chain.queries.ts'
import type { ChainName } from './chain.tables.ts'
import type { Stream } from './chain-event.ts'
import { collectEvents } from './collect-events.ts'

export type WatcherDeps = {
  db: Db
  chain: ChainName
  reader: ChainReader
  streams: readonly Stream[]
  log: Logger
  /** The first block to read: where the contracts were deployed. */
  startBlock: bigint
  /** How many blocks one step reads at most. Nodes limit it. */
  maxRange: number
  /** After so many blocks each range is read a second time; see `recheck`. Left out: 200. */
  recheckAfter?: bigint
  /** Real time; left out: the machine's. */
  clock?: Clock
}

export type Watcher = Loop & {
  /** Steps until everything final was processed, or the chain is halted. Always true in the end. */
  catchUp(): Promise<boolean>
}

type State = { range: number; mayHaveAlarm: boolean }

const IDLE_NOTE_MS = 5_000
const RECHECK_AFTER = 200n

/**
 * Follows the final blocks of a chain. Each step is one transaction: it records the events of a range of blocks, calls
 * their handlers in order and moves the cursor, so a crash repeats the step without a second effect. A final block that
 * is no longer there halts the chain for good: that cannot be mended by a program.
 */
export function createWatcher(deps: WatcherDeps): Watcher {
  const state: State = { range: deps.maxRange, mayHaveAlarm: true }
  const step = () => stepOnce(deps, state)
  return {
    name: `watcher ${deps.chain}`,
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
    const isIdle = await readOn(deps, state)
    if (state.mayHaveAlarm) await clearDisagreement(deps)
    state.mayHaveAlarm = false
    return isIdle
  } catch (error) {
    // A node that refuses a range because of its size says so in many ways; a smaller one is always right.
    if (error instanceof NodeUnavailable) state.range = Math.max(1, Math.floor(state.range / 2))
    if (error instanceof NodesDisagree) {
      await alarmDisagreement(deps, error)
      state.mayHaveAlarm = true
    }
    throw error
  }
}

async function readOn(deps: WatcherDeps, state: State): Promise<boolean> {
  const { db, chain, reader } = deps
  const [final, headNumber] = await Promise.all([reader.finalHead(), reader.headNumber()])
  const seen = { final, headNumber, observedAt: (deps.clock ?? realClock).now() }
  const cursor = await q.readCursor(db, chain)
  if (cursor === undefined) {
    await q.insertCursor(db, { chain, at: await firstBlock(deps, final), seen })
    return false
  }
  // A node behind the others shows an older head; the cursor never goes back.
  if (final.number < cursor.block_number) return true
  const stored = await blockAt(reader, final, cursor.block_number)
  if (hexOf(cursor.block_hash) !== stored.hash) {
    await halt(deps, cursor, stored)
    return true
  }
  if (final.number === cursor.block_number) {
    await noteIdle(deps, seen, cursor)
    await recheck(deps, cursor)
    return true
  }
  const from = cursor.block_number
  const last = from + BigInt(state.range)
  const to = last >= final.number ? final : await blockAt(reader, final, last)
  const events = await collectEvents(deps, { from: from + 1n, to: to.number })
  await inBooking(db, async (tx) => {
    // The cursor first: of two processes one moves it, the other finds it moved and does nothing.
    if (!(await q.moveCursor(tx, { chain, from, to, seen }))) return
    for (const { stream, event } of events) {
      if (await q.insertEvent(tx, event)) await stream.handle(tx, event)
    }
  })
  state.range = Math.min(deps.maxRange, state.range * 2)
  if (to.number !== final.number) return false
  await recheck(deps, { ...cursor, block_number: to.number })
  return true
}

/**
 * Reads blocks again when they are older. A node can know a final block and not its logs yet, and answers then that
 * there are none: what was missed like that is found here, and an alarm tells of it.
 */
async function recheck(
  deps: WatcherDeps,
  cursor: { block_number: bigint; rechecked_number: bigint },
): Promise<void> {
  const { db, chain, recheckAfter = RECHECK_AFTER, clock = realClock } = deps
  const from = cursor.rechecked_number
  const settled = cursor.block_number - recheckAfter
  // Now and then, and then many blocks at once.
  if (settled - from < recheckAfter) return
  const last = from + BigInt(deps.maxRange)
  const to = last < settled ? last : settled
  const events = await collectEvents(deps, { from: from + 1n, to })
  await inTransaction(db, async (tx) => {
    if (!(await q.moveRecheck(tx, { chain, from, to }))) return
    for (const { stream, event } of events) {
      if (!(await q.insertEvent(tx, event))) continue
      await stream.handle(tx, event)
      const subject = `${chain}:${event.blockNumber}`
      const message = `The node of ${chain} had left out a ${event.name} event; it is booked now.`
      await raiseAlarm(tx, { kind: 'event_missed', subject, message, at: clock.now() })
    }
  })
}

/** Reading begins after this block. */
async function firstBlock({ reader, startBlock }: WatcherDeps, final: BlockRef): Promise<BlockRef> {
  if (startBlock > final.number + 1n) {
    throw new NodeUnavailable(`block ${startBlock}, the first to read, is not final yet`)
  }
  return blockAt(reader, final, startBlock > 0n ? startBlock - 1n : 0n)
}

async function blockAt(reader: ChainReader, final: BlockRef, number: bigint): Promise<BlockRef> {
  if (number === final.number) return final
  const block = await reader.block(number)
  if (block === null) throw new NodeUnavailable(`a node lacks the final block ${number}`)
  return block
}

async function noteIdle(
  { db, chain }: WatcherDeps,
  seen: q.Observation,
  cursor: { observed_at: Date },
): Promise<void> {
  const age = seen.observedAt.getTime() - cursor.observed_at.getTime()
  if (age > IDLE_NOTE_MS) await q.noteObservation(db, chain, seen)
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
      message: `Block ${cursor.block_number} was final and is another one now. Nothing more is read from ${chain}.`,
      at,
    })
  })
}

async function alarmDisagreement(
  { db, chain, clock = realClock }: WatcherDeps,
  error: NodesDisagree,
): Promise<void> {
  const message = `${error.message}. Nothing is read from ${chain} until they agree.`
  await raiseAlarm(db, { kind: 'nodes_disagree', subject: chain, message, at: clock.now() })
}

async function clearDisagreement({ db, chain, clock = realClock }: WatcherDeps): Promise<void> {
  await clearAlarm(db, { kind: 'nodes_disagree', subject: chain, at: clock.now() })
}
