import { type BlockRef, type ChainReader, NodeUnavailable } from '@dct/chain-clients'
import { lesser } from '@dct/chain-clients/bigints'
import { clearAlarm } from '../../platform/alarms/alarms.ts'
import { type Clock, realClock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { createBlockRange } from './block-range.ts'
import { bytesOf, hexOf } from './bytes.ts'
import type { ChainName, HaltChanges, ShownEvent } from './chain.tables.ts'
import { type ChainEvent, decodeEvent, type Stream } from './chain-event.ts'
import { collectEvents, type StreamEvent } from './collect-events.ts'
import { compareEvents, digestOf, show } from './halt-changes.ts'
import * as halts from './halts.queries.ts'
import { readBlock } from './read-block.ts'
import { alarmDoubts, recordEvent } from './record-event.ts'

export type HaltDeps = {
  db: Db
  chain: ChainName
  reader: ChainReader
  streams: readonly Stream[]
  /** The first block to read: where the contracts were deployed. */
  startBlock: bigint
  /** The maximum number of blocks to read at once. */
  maxRange: number
}

/** A halt in the form that admins review before they end it. */
export type HaltReview = {
  halt: halts.OpenHalt
  changes: HaltChanges
  /** Identifies exactly these changes. */
  digest: string
}

/**
 * Reads the doubtful blocks again and compares them with what was booked. Changes nothing.
 * @throws Refusal `CHAIN_NOT_HALTED`; NodeUnavailable until the chain is final again up to the halted block
 */
export async function inspectHalt(deps: HaltDeps): Promise<HaltReview> {
  const { halt, changes } = await readAgain(deps)
  return { halt, changes, digest: digestOf(changes) }
}

/**
 * Ends a halt after an admin has reviewed the changes: the watcher continues from the chain as it is now. Payments that
 * are gone are taken back in the books, and then made again; other undone events stay booked, each with an alarm until it
 * is on chain again. New events are booked.
 * @throws Refusal `CHAIN_NOT_HALTED`, or `HALT_CHANGED` when the changes differ from those that were reviewed;
 * NodeUnavailable as in `inspectHalt`
 */
export async function endHalt(
  deps: HaltDeps & { clock: Clock },
  seenDigest: string,
  alsoInTransaction: (tx: Tx, changes: HaltChanges, takenBack: ShownEvent[]) => Promise<void>,
): Promise<HaltChanges> {
  const { db, chain, clock } = deps
  const { halt, block, events, gone, changes } = await readAgain(deps)
  if (digestOf(changes) !== seenDigest) throw new Refusal('HALT_CHANGED')
  await inTransaction(db, async (tx) => {
    if (!(await halts.closeHalt(tx, { id: halt.id, changes, at: realClock.now() }))) {
      throw new Refusal('CHAIN_NOT_HALTED')
    }
    const { takenBack, kept } = await undoEvents(deps, tx, gone)
    await halts.moveEvents(
      tx,
      events.map(({ event }) => event),
    )
    for (const { stream, event } of events) {
      if (await recordEvent(tx, event, clock.now())) await stream.handle(tx, event)
    }
    await halts.continueFrom(tx, { chain, block, from: BigInt(changes.from) })
    await alarmDoubts(tx, { chain, undone: kept, changed: changes.changed, at: clock.now() })
    await clearAlarm(tx, { kind: 'chain_halt', subject: chain, at: clock.now() })
    await alsoInTransaction(tx, changes, takenBack)
  })
  return changes
}

/** Takes back what can be taken back of events that are gone, newest first, and marks the others. */
async function undoEvents({ streams }: HaltDeps, tx: Tx, gone: readonly ChainEvent[]) {
  const takenBack: ShownEvent[] = []
  const kept: ShownEvent[] = []
  for (const event of gone.toReversed()) {
    const stream = streams.find(({ contracts }) =>
      contracts.some(({ address }) => bytesOf(address).equals(event.address)),
    )
    if (await stream?.undo?.(tx, event)) {
      await halts.forgetEvent(tx, event)
      takenBack.push(show(event))
    } else {
      await halts.markUndone(tx, event, realClock.now())
      kept.push(show(event))
    }
  }
  return { takenBack, kept }
}

type Reading = {
  halt: halts.OpenHalt
  /** The block now at the halted height. */
  block: BlockRef
  events: readonly StreamEvent[]
  /** Booked, but no longer on chain, in the order of their blocks. */
  gone: readonly ChainEvent[]
  changes: HaltChanges
}

async function readAgain(deps: HaltDeps): Promise<Reading> {
  const { db, chain, reader } = deps
  const halt = await halts.openHalt(db, chain)
  if (halt === undefined) throw new Refusal('CHAIN_NOT_HALTED')
  const to = halt.blockNumber
  const final = await reader.finalHead()
  if (final.number < to) throw new NodeUnavailable(`block ${to} of ${chain} is not final yet`)
  const block = await readBlock(reader, to)
  const isBack = block.hash === halt.expectedHash
  const from = isBack ? to + 1n : await firstDoubtful(deps, to)
  const found = isBack ? [] : await readRange(deps, { from, to })
  const known = isBack ? [] : await halts.eventsBetween(db, { chain, from, to })
  const events = [...found, ...(await leftOut(deps, to, compareEvents(known, found).gone))]
  const range = { from: `${from}`, to: `${to}`, hash: block.hash }
  const { gone, ...changes } = compareEvents(known, events)
  return { halt, block, events, gone, changes: { ...range, undone: gone.map(show), ...changes } }
}

/** The block after the newest recorded one that is unchanged on chain; the start block when there is none. */
async function firstDoubtful(
  { db, chain, reader, startBlock }: HaltDeps,
  to: bigint,
): Promise<bigint> {
  let below = to + 1n
  for (;;) {
    const recorded = await halts.newestRecordedBlock(db, { chain, below })
    if (recorded === undefined) return startBlock
    const now = await readBlock(reader, recorded.number)
    if (now.hash === recorded.hash) return recorded.number + 1n
    below = recorded.number
  }
}

/**
 * Those of the events that no search found whose transactions' receipts have them: a node leaves them out. What it says is
 * gone would be taken back, or stay on record as undone for good.
 */
async function leftOut(
  { reader, streams }: HaltDeps,
  to: bigint,
  missing: readonly ChainEvent[],
): Promise<StreamEvent[]> {
  const there: StreamEvent[] = []
  for (const event of missing) {
    const receipt = await reader.receipt(hexOf(event.txHash))
    if (receipt.kind !== 'final' || receipt.failure !== null || receipt.blockNumber > to) continue
    const log = receipt.logs[event.logIndex]
    const address = hexOf(event.address)
    const stream = streams.find(({ contracts }) => contracts.some((one) => one.address === address))
    const abi = stream?.contracts.find((one) => one.address === address)?.abi
    const decoded =
      log?.address === address && abi !== undefined ? decodeEvent(abi, log) : undefined
    if (stream === undefined || decoded === undefined) continue
    const block = await readBlock(reader, receipt.blockNumber)
    const { number: blockNumber, time: blockTime } = block
    const place = { blockNumber, blockTime, blockHash: bytesOf(block.hash) }
    there.push({ stream, event: { ...event, ...place, ...decoded } })
  }
  return there
}

/** Reads in smaller ranges when a node refuses large ones. */
async function readRange(
  deps: HaltDeps,
  { from, to }: { from: bigint; to: bigint },
): Promise<StreamEvent[]> {
  const range = createBlockRange(deps.maxRange)
  const events: StreamEvent[] = []
  for (let next = from; next <= to; ) {
    const last = lesser(next + range.size() - 1n, to)
    try {
      events.push(...(await collectEvents(deps, { from: next, to: last })))
      next = last + 1n
    } catch (error) {
      if (!(error instanceof NodeUnavailable) || range.size() === 1n) throw error
      range.refused()
    }
  }
  return events
}
