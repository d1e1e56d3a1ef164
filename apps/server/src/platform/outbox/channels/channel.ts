import type { ChannelKind } from '@dct/api-contract/notifications'
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

/** The receiver did not take a message. The text holds no secret. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  /** How long the receiver asked to be left alone. */
  readonly retryAfterMs: number
  /** It never wants it. */
  readonly isFinal: boolean

  constructor(message: string, { retryAfterMs = 0, isFinal = false } = {}) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isFinal = isFinal
  }
}
