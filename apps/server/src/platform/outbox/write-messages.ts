import { createHash } from 'node:crypto'
import type { EventData, EventType } from '@dct/api-contract/business-events'
import type { Tx } from '../database/db.ts'
import { type JsonData, own, type Receiver } from '../database/platform.tables.ts'
import { TEST_TYPE } from './message.ts'

/** Amounts stay in base units until they are sent, so code that books a fact need not know the token's decimals. */
type Units<T> = {
  [K in keyof T]: T[K] extends { asset: infer A; amount: string }
    ? { asset: A; units: bigint }
    : T[K]
}

export type BusinessEvent = {
  [T in EventType]: {
    type: T
    data: Units<EventData<T>>
    /**
     * Identifies the fact permanently, such as its transaction: if the fact is booked again after a restore, it has the
     * same message id. Absent for facts that only the database knows.
     */
    key?: string
    at: Date
  }
}[EventType]

/** Queues a business event for the webhooks, in the transaction that books the fact. A repeated key changes nothing. */
export async function writeEvent(tx: Tx, { type, data, key, at }: BusinessEvent): Promise<void> {
  await own(tx)
    .insertInto('outbox_message')
    .values({
      ...(key === undefined ? {} : { id: idOf(`${type}:${key}`) }),
      type,
      severity: null,
      data: JSON.parse(JSON.stringify(data, withoutBigints)),
      at,
      dispatched_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Queues a test message that every channel sends once, even during quiet hours. */
export async function writeTest(tx: Tx, at: Date): Promise<void> {
  const data = { message: 'A test message: this channel works.' }
  await own(tx)
    .insertInto('outbox_message')
    .values({ type: TEST_TYPE, severity: null, data, at, dispatched_at: null })
    .execute()
}

/** A message for particular receivers. `key` identifies the fact permanently: a repeated key changes nothing. */
export type PersonalMessage = {
  type: string
  key: string
  data: JsonData
  receivers: readonly Receiver[]
  at: Date
}

/** Queues messages for particular receivers, in the transaction of the fact. */
export async function writeMessages(tx: Tx, messages: readonly PersonalMessage[]): Promise<void> {
  const rows = messages.map(({ type, key, data, receivers, at }) => ({
    ...{ id: idOf(`${type}:${key}`), type, severity: null, at, dispatched_at: null },
    data: JSON.parse(JSON.stringify(data, withoutBigints)) as JsonData,
    receivers: JSON.stringify(receivers),
  }))
  if (rows.length === 0) return
  await own(tx)
    .insertInto('outbox_message')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

function withoutBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}

/** A UUID (version 8) made from a name. */
function idOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
