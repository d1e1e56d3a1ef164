import type { ChannelKind } from '@dct/api-contract/notifications'
import type { Tx } from '../../db.ts'
import type { HolderChannel } from '../../platform.tables.ts'
import type { Message } from '../message.ts'

/** One receiver of messages, by its way. */
export type Channel = {
  kind: ChannelKind
  /** Names it in the list of deliveries. Holds no secret, and stays the same as long as the receiver does. */
  receiver: string
  /** Sends alarms. */
  isForAlarms: boolean
  /** Sends business events. */
  isForEvents: boolean
  /** Wakes people up, so that quiet hours hold back what can wait. */
  isHeard: boolean
  /** @throws DeliveryError, or whatever the connection throws: then it is sent again later */
  send(message: Message): Promise<void>
  /** Finds out whether a message could be sent now, and sends none. @throws like `send` */
  probe(): Promise<void>
}

/** A way to many receivers, whom each message names. They are ids: neither deliveries nor logs name an address. */
export type PersonalChannel = {
  kind: HolderChannel
  /** How many messages it sends at the same time. */
  atOnce: number
  /** @throws NotWanted, and DeliveryError like a channel; no error names an address */
  send(message: Message, receiver: string): Promise<void>
  /** Called, in the transaction that records it, when a receiver has refused for good, with what `send` threw. */
  end(tx: Tx, receiver: string, error: unknown): Promise<void>
}

/** A message that its receiver has meanwhile chosen not to get. It is neither sent nor counted as failed. */
export class NotWanted extends Error {
  override name = 'NotWanted'
}

/** The receiver did not take a message. The text holds no secret. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  /** How long the receiver asked to be left alone. */
  readonly retryAfterMs: number
  /** It never wants it. */
  readonly isFinal: boolean
  /** It never wants anything any more. */
  readonly isGone: boolean
  /** The cause is with this receiver alone: messages reach others. */
  readonly isPersonal: boolean

  constructor(
    message: string,
    { retryAfterMs = 0, isFinal = false, isGone = false, isPersonal = false } = {},
  ) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isFinal = isFinal || isGone
    this.isGone = isGone
    this.isPersonal = isPersonal || isGone
  }
}
