/** How a node misbehaves. Every fault is one that nodes of public providers show. */
import type { Hex } from 'viem'

export type NetworkReply = {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

export const FAULTS = [
  'silent',
  'late',
  'throttled',
  'truncated',
  'odd',
  'behind',
  'omits',
  'lies',
] as const
export type Fault = (typeof FAULTS)[number]

/** What replies with such a fault carry cannot be read. */
export const MUTE = ['silent', 'late', 'throttled', 'truncated', 'odd'] as const

export type NodeMood = {
  /** In the order of the chain's nodes. */
  name: string
  fault: Fault | undefined
  /** How many blocks a node that is `behind` lacks. */
  lag: number
  /** Transactions that a node leaves out of its searches for logs. */
  omitted: Set<Hex>
  /** Whether it finds them again. */
  isMended: boolean
}

export function soundNode(name: string): NodeMood {
  return { name, fault: undefined, lag: 0, omitted: new Set(), isMended: false }
}

/** What arrives instead of an answer; undefined if it arrives. */
export function brokenReply(fault: Fault | undefined, answer: string): NetworkReply | undefined {
  switch (fault) {
    case 'silent':
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      })
    case 'late':
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    case 'throttled':
      return {
        status: 429,
        headers: { 'retry-after': '5' },
        text: '{"Error":"request frequency limit"}',
      }
    case 'truncated':
      return sound(answer.slice(0, -12))
    case 'odd':
      return sound('{"jsonrpc":"2.0","result":null,"unexpected":[]}')
    default:
      return undefined
  }
}

/** A reply that carries what was asked for. */
export function sound(text: string): NetworkReply {
  return { status: 200, headers: {}, text }
}
