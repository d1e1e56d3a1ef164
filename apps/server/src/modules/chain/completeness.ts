import {
  type ChainReader,
  type NodeGroup,
  type NodeStanding,
  NodeUnavailable,
  NotOffered,
} from '@dct/chain-clients'
import { greater, lesser } from '@dct/chain-clients/bigints'
import type { Hex } from 'viem'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import { type Clock, msSince } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { hexOf } from './bytes.ts'
import * as q from './chain.queries.ts'
import type { ChainName, Figures } from './chain.tables.ts'
import type { Stream } from './chain-event.ts'
import { filtersOf, type StreamEvent } from './collect-events.ts'
import { eventsInReceipts } from './receipt-events.ts'
import { recordEvent } from './record-event.ts'

/** A figure that the chain itself keeps, such as a balance, and that only our events change. */
export type Figure = {
  name: string
  call: { to: Hex; data: Hex }
  /** Its value in the result of the call. */
  read(result: Hex): bigint
  /** By how much an event changes it. */
  changeBy(event: q.BookedEvent): bigint
}

export type Tally = {
  figures(db: DbOrTx): Promise<readonly Figure[]>
  /** Whether every figure was 0 before the first block to read. Otherwise its first value is accepted unchecked. */
  beginsAtZero: boolean
}

export type CompletenessDeps = {
  db: Db
  chain: ChainName
  reader: ChainReader
  readers: NodeGroup<ChainReader>
  streams: readonly Stream[]
  startBlock: bigint
  tally: Tally
  log: Logger
  realClock: Clock
  /** Real milliseconds between two comparisons. */
  everyMs: number
}

/** Figures at one final block. */
type Reading = { block: bigint; time: Date; figures: readonly Figure[]; values: Figures }
/**
 * A range of blocks to read in full: because the figures changed by more or less than the events account for, or because
 * the books refuse an event, which then lacks an earlier one.
 */
type Walk = {
  reading: Reading
  next: bigint
  end: bigint
  /** The last block that the watcher has read. */
  read: bigint
  why: string
}

const BLOCKS_A_STEP = 20n
/** Older blocks are left to the audit: each block costs a request to every node. */
const LONGEST_WALK = 30_000n
/** The most blocks that a watcher reads at once, one of which holds the event that the books refuse. */
const BEYOND_REFUSAL = 1_000n

/**
 * A node's log index can have gaps: the node then has a block but finds none of its events, without reporting an error.
 * So the figures that the chain keeps are compared with the booked events, once for each block range. Where they
 * differ, all blocks of that range are read in full; missing events are booked, and the nodes that omitted them are
 * reported.
 */
export function createCompletenessLoop(deps: CompletenessDeps): Loop {
  const { db, chain, realClock, everyMs } = deps
  let readAt: Date | undefined
  let reading: Reading | undefined
  let walk: Walk | undefined
  let stood: { block: bigint; since: Date } | undefined
  return {
    name: `completeness ${chain}`,
    async step() {
      const now = realClock.now()
      const isResting =
        walk === undefined && reading === undefined && msSince(readAt, now) < everyMs
      if (isResting || (await q.isHalted(db, chain))) return true
      if (walk !== undefined) {
        const isDone = await continueWalk(deps, walk)
        if (isDone) walk = undefined
        return isDone
      }
      if (reading === undefined) {
        reading = await readFigures(deps)
        readAt = now
      }
      const cursor = await q.readCursor(db, chain)
      if (cursor === undefined) return true
      // The watcher has yet to reach that block. If it stands still, it waits for an event that was left out.
      if (cursor.block_number < reading.block) {
        const { block_number: block } = cursor
        if (stood?.block !== block) stood = { block, since: now }
        if (msSince(stood.since, now) < everyMs) return true
        stood = undefined
        walk = await walkToRefusal(deps, reading, block)
        // What was omitted may lie beyond it: the next walk ends at a newer block.
        reading = undefined
        return false
      }
      stood = undefined
      walk = await compare(deps, reading)
      reading = undefined
      return walk === undefined
    },
  }
}

async function readFigures({ db, reader, tally }: CompletenessDeps): Promise<Reading> {
  const figures = await tally.figures(db)
  const calls = new Map(figures.map(({ call }) => [`${call.to} ${call.data}`, call]))
  const { at, results } = await reader.finalCall([...calls.values()])
  const resultOf = new Map([...calls.keys()].map((key, place) => [key, results[place] ?? '0x']))
  const values = figures.map(({ name, call, read }) => {
    const result = resultOf.get(`${call.to} ${call.data}`) ?? '0x'
    return [name, `${read(result)}`]
  })
  return { block: at.number, time: at.time, figures, values: Object.fromEntries(values) }
}

/** Stores the figures if they agree with the events. @returns the blocks to read in full if not */
async function compare(deps: CompletenessDeps, reading: Reading): Promise<Walk | undefined> {
  const { db, chain, startBlock, log } = deps
  const proof = await q.readProof(db, chain)
  if (proof !== undefined && proof.block >= reading.block) return undefined
  const why = await differences(deps, reading, proof)
  if (why === '') {
    await moveProof(deps, reading, proof)
    return undefined
  }
  const first = proof === undefined ? startBlock : proof.block + 1n
  const next = greater(first, reading.block - LONGEST_WALK)
  log.warn({ chain, from: `${next}`, to: `${reading.block}`, why }, 'blocksReadWhole')
  return { reading, next, end: reading.block, read: reading.block, why }
}

/** The blocks since the figures last agreed, up to those that the watcher cannot book. */
async function walkToRefusal(
  { db, chain, startBlock, log }: CompletenessDeps,
  reading: Reading,
  block: bigint,
): Promise<Walk> {
  const proof = await q.readProof(db, chain)
  const first = proof === undefined ? startBlock : proof.block + 1n
  const end = lesser(reading.block, block + BEYOND_REFUSAL)
  const next = greater(first, block - LONGEST_WALK)
  const why = `The watcher has stopped after block ${block}`
  log.warn({ chain, from: `${next}`, to: `${end}`, why }, 'blocksReadWhole')
  return { reading, next, end, read: block, why }
}

/** Describes the figures whose change differs from that of their events; empty when all agree. */
async function differences(
  { db, chain, tally }: CompletenessDeps,
  { block, figures, values }: Reading,
  proof: q.Proof | undefined,
): Promise<string> {
  const isNew = ({ name }: Figure) => proof?.figures[name] === undefined
  const after = await q.eventsAfter(db, { chain, after: proof?.block ?? 0n, to: block })
  const wantsAll = proof !== undefined && tally.beginsAtZero && figures.some(isNew)
  const all = wantsAll ? await q.eventsAfter(db, { chain, after: 0n, to: block }) : after
  const words = figures.flatMap((figure) => {
    if (isNew(figure) && !tally.beginsAtZero) return []
    const before = BigInt(proof?.figures[figure.name] ?? 0)
    const events = isNew(figure) ? all : after
    const booked = events.reduce((sum, event) => sum + figure.changeBy(event), 0n)
    const changed = BigInt(values[figure.name] ?? 0) - before
    return changed === booked ? [] : [`${figure.name} changed by ${changed}, by events ${booked}`]
  })
  return words.join('; ')
}

function isOfRefusal({ read, end }: Walk): boolean {
  return read < end
}

/** Reads the next blocks in full. @returns whether these were the last */
async function continueWalk(deps: CompletenessDeps, walk: Walk): Promise<boolean> {
  const { db, chain } = deps
  const { end } = walk
  const last = lesser(walk.next + BLOCKS_A_STEP - 1n, end)
  for (; walk.next <= last; walk.next += 1n) {
    await bookBlock(deps, walk)
  }
  if (walk.next <= end) return false
  if (isOfRefusal(walk)) return true
  const proof = await q.readProof(db, chain)
  const why = await differences(deps, walk.reading, proof)
  if (why !== '')
    await alarm(deps, walk, `Reading whole blocks up to ${end} did not explain it: ${why}.`)
  await moveProof(deps, walk.reading, proof)
  return true
}

async function moveProof(
  { db, chain }: CompletenessDeps,
  { block, time, values }: Reading,
  proof: q.Proof | undefined,
): Promise<void> {
  const to = { number: block, time }
  await q.moveProof(db, { chain, from: proof?.block, to, figures: values })
}

async function bookBlock(deps: CompletenessDeps, walk: Walk): Promise<void> {
  const { db } = deps
  try {
    const events = await eventsInReceipts(deps, walk.next)
    if (events.length === 0) return
    // What no node omits, the watcher will read: it may have stopped only because nodes do not answer.
    if (walk.next > walk.read && (await nodesThatOmit(deps, events)).length === 0) return
    const missed = await inTransaction(db, (tx) => bookMissed(deps, tx, events))
    if (missed === 0) return
    for (const standing of await nodesThatOmit(deps, events)) standing.omitted(walk.next)
  } catch (error) {
    // A watcher also stands still while nodes do not answer, who are named by alarms of their own.
    const isNamed = isOfRefusal(walk) && !(error instanceof NotOffered)
    if (error instanceof NodeUnavailable && !isNamed) {
      await alarm(deps, walk, `${walk.why}. Whole blocks cannot be read: ${error.message}.`)
    }
    throw error
  }
}

/** Books those of the events that were never booked, each with an alarm. @returns how many there were */
async function bookMissed(
  { chain, realClock }: CompletenessDeps,
  tx: Tx,
  events: readonly StreamEvent[],
): Promise<number> {
  const at = realClock.now()
  let missed = 0
  for (const { stream, event } of events) {
    if (!(await recordEvent(tx, event, at))) continue
    await stream.handle(tx, event)
    missed += 1
    await raiseAlarm(tx, {
      kind: 'event_missed',
      subject: `${chain}:${event.blockNumber}`,
      message: `A ${event.name} event of block ${event.blockNumber} (${chain}) was booked late: a node had omitted it.`,
      at,
    })
  }
  return missed
}

/** Asks each node for the logs of the block, as the watcher did. @returns those that omit some */
async function nodesThatOmit(
  { readers, streams }: CompletenessDeps,
  events: readonly StreamEvent[],
): Promise<NodeStanding[]> {
  const block = events[0]?.event.blockNumber ?? 0n
  const wanted = new Set(events.map(({ event }) => hexOf(event.txHash)))
  const filters = (await Promise.all(streams.map(filtersOf))).flat()
  const range = { from: block, to: block }
  const omitting: NodeStanding[] = []
  for (const { client, standing } of readers.nodes) {
    try {
      const logs = (await Promise.all(filters.map((filter) => client.logs(filter, range)))).flat()
      const found = new Set(logs.map(({ txHash }) => txHash))
      if ([...wanted].some((hash) => !found.has(hash))) omitting.push(standing)
    } catch (error) {
      // The failed request has already been recorded for this node.
      if (!(error instanceof NodeUnavailable)) throw error
    }
  }
  return omitting
}

async function alarm(
  { db, chain, realClock }: CompletenessDeps,
  { reading }: Walk,
  message: string,
): Promise<void> {
  await raiseAlarm(db, {
    kind: 'events_incomplete',
    subject: `${chain}:${reading.block}`,
    message: `Events of ${chain} are missing: ${message}`,
    at: realClock.now(),
  })
}
