import type { ChainReader } from '@dct/chain-clients'
import { greater, lesser } from '@dct/chain-clients/bigints'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { BlockRange } from './block-range.ts'
import * as q from './chain.queries.ts'
import type { ChainName } from './chain.tables.ts'
import type { Stream } from './chain-event.ts'
import { collectEvents, type StreamEvent } from './collect-events.ts'
import { recordEvent } from './record-event.ts'

export type RecheckDeps = {
  db: Db
  chain: ChainName
  reader: ChainReader
  streams: readonly Stream[]
  /** Each block is read a second time once this many newer blocks have been read. */
  recheckAfter: bigint
  clock: Clock
}

/**
 * Reads one range of older blocks again. A node may know a final block but not its logs yet, and then reports that
 * there are none; events missed that way are booked here, with an alarm.
 * @returns whether there was a range to read
 */
export async function recheck(deps: RecheckDeps, range: BlockRange): Promise<boolean> {
  const { db, chain, recheckAfter } = deps
  const cursor = await q.readCursor(db, chain)
  if (cursor === undefined) return false
  const from = cursor.rechecked_number
  const settled = cursor.block_number - recheckAfter
  // Rechecks run in batches: wait until at least `recheckAfter` blocks are due.
  if (settled - from < recheckAfter) return false
  const to = lesser(from + range.size(), settled)
  const events = await collectEvents(deps, { from: from + 1n, to })
  range.answered(to - from)
  await inTransaction(db, async (tx) => {
    if (await q.moveRecheck(tx, { chain, from, to })) await bookMissed(deps, tx, events)
  })
  return true
}

/**
 * Reads recent blocks again, without waiting until they are old enough for `recheck`. For when an event contradicts the
 * books, because a node may have left out an earlier one.
 * @returns whether missed events were found, or a range of older blocks was due and has been read again
 */
export async function recheckRecent(deps: RecheckDeps, range: BlockRange): Promise<boolean> {
  const { db, chain, recheckAfter } = deps
  const cursor = await q.readCursor(db, chain)
  if (cursor === undefined) return false
  const { block_number: last, rechecked_number: mark } = cursor
  let found = 0
  for (let from = greater(mark, last - 2n * recheckAfter); from < last; ) {
    const to = lesser(from + range.size(), last)
    const events = await collectEvents(deps, { from: from + 1n, to })
    range.answered(to - from)
    found += await inTransaction(db, (tx) => bookMissed(deps, tx, events))
    from = to
  }
  return found > 0 || recheck(deps, range)
}

/** Books those of the events that were never booked, each with an alarm. @returns how many there were */
export async function bookMissed(
  { chain, clock }: Pick<RecheckDeps, 'chain' | 'clock'>,
  tx: Tx,
  events: readonly StreamEvent[],
): Promise<number> {
  let missed = 0
  for (const { stream, event } of events) {
    if (!(await recordEvent(tx, event, clock.now()))) continue
    await stream.handle(tx, event)
    missed += 1
    await raiseAlarm(tx, {
      kind: 'event_missed',
      subject: `${chain}:${event.blockNumber}`,
      message: `A ${event.name} event of block ${event.blockNumber} (${chain}) was booked late: a node had omitted it, or its address was not ours yet.`,
      at: clock.now(),
    })
  }
  return missed
}
