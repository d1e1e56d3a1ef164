import { type Static, Type } from 'typebox'
import { SEVERITIES } from './alarms.ts'
import { Nullable, OneOf, Timestamp } from './common.ts'

export const CHANNELS = ['email', 'telegram', 'webhook'] as const
export type ChannelKind = (typeof CHANNELS)[number]
export const DELIVERY_STATES = ['pending', 'sent', 'failed'] as const

/** One message to one receiver. */
export const Delivery = Type.Object({
  id: Type.String(),
  type: Type.String({ description: 'Such as `alarm.raised`, `test` or a business event.' }),
  severity: Nullable(OneOf(...SEVERITIES)),
  subject: Type.String({ description: 'The kind and the subject of an alarm; empty otherwise.' }),
  channel: OneOf(...CHANNELS),
  receiver: Type.String(),
  state: OneOf(...DELIVERY_STATES),
  attempts: Type.Integer(),
  last_error: Nullable(Type.String()),
  written_at: Timestamp,
  due_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
})
export type Delivery = Static<typeof Delivery>

/** The newest deliveries, and the outcome of the last test message. */
export const DeliveriesReply = Type.Object({
  deliveries: Type.Array(Delivery),
  test: Nullable(
    Type.Object({
      asked_at: Timestamp,
      is_dispatched: Type.Boolean({ description: 'Whether a worker has picked it up.' }),
      deliveries: Type.Array(Delivery),
    }),
  ),
})
export type DeliveriesReply = Static<typeof DeliveriesReply>
