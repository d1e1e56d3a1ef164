import type { ChannelKind } from '@dct/api-contract/deliveries'
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { type HolderChannel, own } from '../database/platform.tables.ts'
import type { Message } from './message.ts'
import { LONGEST_WAIT_MS } from './retry.ts'

/** How long a worker that takes a delivery has it to itself: longer than sending it and recording the outcome. */
const LEASE_MS = 120_000
/** How many of the deliveries that have been due for longest are looked at for each one that is taken. */
const LOOKED_AT = 8

/** A delivery that a worker has to itself for a while. */
export type Taken = {
  id: bigint
  attempts: number
  message: Message
  receiver: string
  dispatchedAt: Date
}

export type Wanted = {
  kind: ChannelKind | HolderChannel
  /** Only to this receiver. */
  receiver: string | undefined
  /** Not to these, because a message to them is on its way. */
  busy: readonly string[]
  limit: number
  /** Real time. */
  now: Date
}

/**
 * Takes deliveries of a channel, those that have been due for longest, and no more than one for each receiver: messages
 * reach a receiver one by one, in the order in which things happened.
 */
export async function takeDue(db: Db, wanted: Wanted): Promise<Taken[]> {
  const { now, limit } = wanted
  const oldest = await due(db, wanted)
    .select(['d.id', 'd.receiver'])
    .limit(limit * LOOKED_AT)
    .execute()
  const ids = oldest
    .filter(({ receiver }, at) => oldest.findIndex((one) => one.receiver === receiver) === at)
    .slice(0, limit)
    .map(({ id }) => id)
  if (ids.length === 0) return []
  const free = due(db, wanted).select('d.id').where('d.id', 'in', ids).forUpdate().skipLocked()
  const rows = await own(db)
    .updateTable('outbox_delivery as d')
    .from('outbox_message as m')
    .set({ attempts: sql<number>`d.attempts + 1`, due_at: new Date(now.getTime() + LEASE_MS) })
    // As an array, so that the rows are locked once, whatever the plan.
    .where('d.id', '=', sql<bigint>`any(array(${free}))`)
    .whereRef('m.id', '=', 'd.message_id')
    .returning([
      'd.id as delivery',
      'd.attempts',
      'd.receiver',
      'm.id',
      'm.type',
      'm.severity',
      'm.data',
      'm.at',
      'm.dispatched_at',
    ])
    .execute()
  return rows.map(({ delivery, attempts, receiver, dispatched_at, ...message }) => ({
    ...{ id: delivery, attempts, receiver, message },
    dispatchedAt: dispatched_at ?? now,
  }))
}

function due(db: Db, { kind, receiver, busy, now }: Wanted) {
  // Nothing is ever due that much later: a clock was wrong when it was written.
  const impossible = new Date(now.getTime() + LONGEST_WAIT_MS)
  return own(db)
    .selectFrom('outbox_delivery as d')
    .where('d.channel', '=', kind)
    .$if(receiver !== undefined, (query) => query.where('d.receiver', '=', receiver ?? ''))
    .$if(busy.length > 0, (query) => query.where('d.receiver', 'not in', busy))
    .where('d.state', '=', 'pending')
    .where(({ or, eb }) => or([eb('d.due_at', '<=', now), eb('d.due_at', '>', impossible)]))
    .orderBy('d.due_at')
    .orderBy('d.id')
}
