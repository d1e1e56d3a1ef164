import { cleanText } from '@dct/rules/clean-text'
import type { Hex } from 'viem'

/** Why a node gave no usable answer. */
export type FailureKind = 'down' | 'throttled' | 'too wide' | 'not offered' | 'refused' | 'unfit'

const MOST_WORDS = 500

/**
 * A node gave no usable answer: unreachable, too slow, throttled, or not JSON. Nothing can be concluded from it. The
 * message names only the host, because paths and headers contain keys, and is cleaned, because nodes choose its words.
 */
export class NodeUnavailable extends Error {
  override name = 'NodeUnavailable'
  readonly kind: FailureKind = 'down'
  /** Whether the node did answer, and the request itself was at fault. */
  readonly isAnswer: boolean = false

  constructor(message: string, options?: ErrorOptions) {
    super(cleanText(message, MOST_WORDS), options)
  }
}

/** A node asked us to slow down. Nothing is sent to it until the pause is over. */
export class NodeThrottled extends NodeUnavailable {
  override name = 'NodeThrottled'
  override readonly kind = 'throttled'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** A node does not search that many blocks for logs in one request. */
export class RangeTooWide extends NodeUnavailable {
  override name = 'RangeTooWide'
  override readonly kind = 'too wide'
  /** How many blocks it allows; undefined if it did not say. */
  readonly allowed: number | undefined

  constructor(message: string, allowed: number | undefined) {
    super(message)
    this.allowed = allowed
  }
}

/** A node does not offer this call at all: asking again, or for less, does not help. */
export class NotOffered extends NodeUnavailable {
  override name = 'NotOffered'
  override readonly kind = 'not offered'
}

/** A node does not serve us: a wrong or missing key, an unpaid plan, an address that is not allowed. */
export class NodeRefused extends NodeUnavailable {
  override name = 'NodeRefused'
  override readonly kind = 'refused'
}

/**
 * A node's reply is not one to the question: of another shape, about something else, or an error that only this node
 * can have. Other nodes are asked instead, and an alarm names it.
 */
export class NodeUnfit extends NodeUnavailable {
  override name = 'NodeUnfit'
  override readonly kind = 'unfit'
}

/** A node ran a view call, and it failed. */
export class CallFailed extends NodeUnavailable {
  override name = 'CallFailed'
  override readonly isAnswer = true
}

/** The state of that block is not available now, but that of a newer one is. */
export class StateGone extends NodeUnavailable {
  override name = 'StateGone'
  override readonly isAnswer = true
}

/** A node understood a JSON-RPC request and answered with an error about the request itself, such as a revert. */
export class RpcRefusal extends NodeUnavailable {
  override name = 'RpcRefusal'
  override readonly isAnswer = true
  readonly reason: string
  /** The data that a revert came with; `0x` without any. */
  readonly revert: Hex

  constructor(method: string, error: RpcError) {
    super(`${method}: ${error.message} (${String(error.code)})`)
    this.reason = cleanText(error.message, MOST_WORDS)
    const data = /0x(?:[0-9a-f]{2})+$/i.exec(`${error.data}`)?.[0] ?? '0x'
    this.revert = data.toLowerCase() as Hex
  }
}

/** The error of a JSON-RPC envelope. */
export type RpcError = { message: string; code: unknown; data: unknown }
