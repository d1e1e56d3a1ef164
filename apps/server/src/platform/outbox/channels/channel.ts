import type { ChannelKind } from '@dct/api-contract/deliveries'
import type { Tx } from '../../database/db.ts'
import type { HolderChannel } from '../../database/platform.tables.ts'
import type { Message } from '../message.ts'

/** One receiver of messages and the way to reach it. */
export type Channel = {
  kind: ChannelKind
  /** Identifies it in the list of deliveries. Contains no secret, and stays the same as long as the receiver does. */
  receiver: string
  /** Sends alarms. */
  isForAlarms: boolean
  /** Sends business events. */
  isForEvents: boolean
  /** @throws DeliveryError, or whatever the connection throws; the message is retried unless the error is final */
  send(message: Message): Promise<void>
  /** Checks whether a message could be sent now, without sending one. @throws like `send` */
  probe(): Promise<void>
}

/** A way to reach many receivers. Messages name them by id, so neither deliveries nor logs contain an address. */
export type PersonalChannel = {
  kind: HolderChannel
  /** How many messages it sends at the same time. */
  atOnce: number
  /** @throws NotWanted, and DeliveryError like a channel; no error contains an address */
  send(message: Message, receiver: string): Promise<void>
  /** Called with what `send` threw when a receiver has refused for good, in the transaction that records it. */
  end(tx: Tx, receiver: string, error: unknown): Promise<void>
}

/** The receiver has since opted out of the message. It is neither sent nor counted as failed. */
export class NotWanted extends Error {
  override name = 'NotWanted'
}

/** The receiver did not accept a message. The error message contains no secret. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  /** How long the receiver asked to wait before the next attempt. */
  readonly retryAfterMs: number
  /** It will never accept this message. */
  readonly isFinal: boolean
  /** It will never accept any message again. */
  readonly isGone: boolean
  /** Only this receiver is affected, as far as one failure can tell: nothing is wrong on the operator's side. */
  readonly isPersonal: boolean
  /** It did not answer, or asked to wait, so other messages to it would fare no better now. */
  readonly isUnreached: boolean

  constructor(
    message: string,
    {
      retryAfterMs = 0,
      isFinal = false,
      isGone = false,
      isPersonal = false,
      isUnreached = false,
    } = {},
  ) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isFinal = isFinal || isGone
    this.isGone = isGone
    this.isPersonal = isPersonal || isGone
    this.isUnreached = isUnreached || retryAfterMs > 0
  }
}
