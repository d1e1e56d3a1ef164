import { CHANNELS, type ChannelKind } from '@dct/api-contract/deliveries'
import { sql } from 'kysely'
import { DAY_MS } from '../clock.ts'
import type { DbOrTx } from '../database/db.ts'
import { HOLDER_CHANNELS, type HolderChannel, own } from '../database/platform.tables.ts'
import { TEST_TYPE } from './message.ts'

const MAX_SHOWN = 50

/** Deliveries over the operator's own channels. Messages to holders are private. */
function deliveries(db: DbOrTx) {
  return own(db)
    .selectFrom('outbox_delivery as d')
    .innerJoin('outbox_message as m', 'm.id', 'd.message_id')
    .select([
      'd.id',
      'm.type',
      'm.severity',
      'm.data',
      'm.at',
      'd.channel',
      'd.receiver',
      'd.state',
      'd.attempts',
      'd.last_error',
      'd.due_at',
      'd.ended_at',
    ])
    .where('d.channel', 'in', CHANNELS)
    .$narrowType<{ channel: ChannelKind }>()
}

export type DeliveryRecord = Awaited<ReturnType<typeof newestDeliveries>>[number]

/** The newest deliveries first. */
export async function newestDeliveries(db: DbOrTx) {
  return deliveries(db).orderBy('d.id', 'desc').limit(MAX_SHOWN).execute()
}

/** The last test message and its deliveries; undefined when none was written. */
export async function lastTest(db: DbOrTx) {
  const message = await own(db)
    .selectFrom('outbox_message')
    .select(['id', 'at', 'dispatched_at'])
    .where('type', '=', TEST_TYPE)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (message === undefined) return undefined
  const found = await deliveries(db).where('m.id', '=', message.id).orderBy('d.id').execute()
  return { at: message.at, isDispatched: message.dispatched_at !== null, deliveries: found }
}

const ALL_CHANNELS = [...CHANNELS, ...HOLDER_CHANNELS]

export type ChannelCount = { channel: ChannelKind | HolderChannel; pending: number; failed: number }

/** The numbers of pending deliveries, and of those given up within the last day, for each kind of channel. */
export async function channelCounts(db: DbOrTx, now: Date): Promise<ChannelCount[]> {
  const rows = await own(db)
    .selectFrom('outbox_delivery')
    .select((eb) => [
      'channel',
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'pending').as('pending'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'failed').as('failed'),
    ])
    .where(
      sql<boolean>`state = 'pending' or (state = 'failed' and ended_at > ${new Date(now.getTime() - DAY_MS)})`,
    )
    .groupBy('channel')
    .execute()
  return ALL_CHANNELS.map((channel) => {
    const { pending, failed } = rows.find((row) => row.channel === channel) ?? {}
    return { channel, pending: Number(pending ?? 0), failed: Number(failed ?? 0) }
  })
}
