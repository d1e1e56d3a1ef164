import { type Insertable, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../database/db.ts'
import { type OutboxDeliveryTable, own, type Receiver } from '../database/platform.tables.ts'
import type { Channel } from './channels/channel.ts'
import { isAlarm, type Message, TEST_TYPE } from './message.ts'

const AT_ONCE = 50
/** The end of an alarm is sent once it has lasted this long. If the cause comes back before, nothing is sent at all. */
export const SETTLED_MS = 10 * 60_000

export type DispatchInput = {
  channels: readonly Channel[]
  /** Real time. */
  now: Date
}

/**
 * Turns messages, oldest first, into one delivery for each channel that wants them, or for each receiver that they name.
 * Those that nobody wants are removed.
 * @returns whether there were any
 */
export async function dispatchMessages(db: Db, input: DispatchInput): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const messages = await own(tx)
      .selectFrom('outbox_message')
      .select(['id', 'type', 'severity', 'data', 'receivers', 'at'])
      .where('dispatched_at', 'is', null)
      .orderBy('number')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    if (messages.length === 0) return false
    const deliveries = messages.flatMap((message) => deliveriesOf(message, input))
    if (deliveries.length > 0) {
      await own(tx).insertInto('outbox_delivery').values(deliveries).execute()
    }
    const wanted = new Set(deliveries.map(({ message_id }) => message_id))
    const isKept = ({ id, type }: Message) => wanted.has(id) || type === TEST_TYPE
    await markDispatched(tx, messages.filter(isKept), input.now)
    await remove(
      tx,
      messages.filter((message) => !isKept(message)),
    )
    return true
  })
}

type Written = Message & { receivers: readonly Receiver[] | null }

function deliveriesOf(
  message: Written,
  { channels, now }: DispatchInput,
): Insertable<OutboxDeliveryTable>[] {
  const whole = { message_id: message.id, last_error: null, ended_at: null }
  if (message.receivers !== null)
    return message.receivers.map((receiver) => ({ ...whole, ...receiver, due_at: now }))
  const holdMs = message.type === 'alarm.resolved' ? SETTLED_MS : 0
  return channels
    .filter((channel) => wants(channel, message))
    .map((channel) => ({
      ...whole,
      channel: channel.kind,
      receiver: channel.receiver,
      due_at: new Date(now.getTime() + holdMs),
    }))
}

function wants({ isForAlarms, isForEvents }: Channel, message: Message): boolean {
  if (message.type === TEST_TYPE) return true
  return isAlarm(message) ? isForAlarms : isForEvents
}

async function markDispatched(tx: Tx, messages: readonly Message[], now: Date): Promise<void> {
  if (messages.length === 0) return
  await own(tx)
    .updateTable('outbox_message')
    .set({ dispatched_at: now })
    .where('id', '=', anyIdOf(messages))
    .execute()
}

async function remove(tx: Tx, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  await own(tx).deleteFrom('outbox_message').where('id', '=', anyIdOf(messages)).execute()
}

function anyIdOf(messages: readonly Message[]) {
  return sql<string>`any(${messages.map(({ id }) => id)}::uuid[])`
}
