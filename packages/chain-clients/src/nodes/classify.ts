import {
  NodeRefused,
  NodeThrottled,
  NodeUnavailable,
  NodeUnfit,
  NotOffered,
  RangeTooWide,
  type RpcError,
  RpcRefusal,
  StateGone,
} from './failures.ts'
import { readRangeWords } from './range-words.ts'

/** A reply that is not an answer. */
export type BadReply = {
  host: string
  status: number
  /** The node's complaint in its own words: a message in the body, or the whole body. */
  complaint: string
  /** Milliseconds, as requested in a header; 0 if it is missing. */
  retryAfterMs: number
}

/** TronGrid suspends a caller for 30 s and signals it with 403. */
const PAUSE_ON_403_MS = 30_000
const THROTTLED =
  /frequency limit|suspended|lack of computing resources|rate.?limit|too many (?:requests|connections)|requests? per (?:second|day|minute)|throttl|compute units|throughput|(?:daily|monthly|request|usage) (?:limit|quota)|quota|out of (?:requests|capacity)|slow down|limit exceeded/i
const NOT_OFFERED =
  /unavailable due to config|(?:api|method)[^.]{0,80}(?:is closed|not (?:found|supported|available|allowed|whitelisted)|does not exist|is disabled|unavailable)|lite fullnode|requires? an? archive/i
const REFUSED =
  /api.?key|token|unauthori[sz]ed|forbidden|denied|not allowed|whitelist|disabled|unpaid|payment|invalid (?:key|project)|access|referer|origin/i

const UNAUTHORISED = [400, 401, 402, 403]
const NO_SUCH_CALL = [404, 405, 501]
const TOO_BUSY = [429, 503]
const TOO_LARGE = 413

/** A redirect is not followed: it would hand our key to another host, whose answers would then be believed. */
function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399
}

/** Classifies a reply as a failure. Its wording counts for more than its status, which providers choose freely. */
export function classifyReply(reply: BadReply): NodeUnavailable {
  const { host, status, complaint } = reply
  const words = complaint.slice(0, 200)
  if (isRedirect(status)) {
    return new NodeRefused(`${host} sends us to another address (status ${status}): name that one`)
  }
  const range = readRangeWords(complaint)
  if (range !== undefined || status === TOO_LARGE) {
    return new RangeTooWide(`${host} asks for a smaller range: ${words}`, range?.allowed)
  }
  if (NO_SUCH_CALL.includes(status)) {
    return new NotOffered(`${host} does not offer this call: status ${status}`)
  }
  if (NOT_OFFERED.test(complaint)) {
    return new NotOffered(`${host} does not offer this call: ${words}`)
  }
  if (isThrottling(reply)) return new NodeThrottled(throttledWords(host), pauseOf(reply))
  if (UNAUTHORISED.includes(status)) {
    return new NodeRefused(`${host} refuses us with status ${status}: ${words}`)
  }
  if (status >= 200 && status <= 299) return new NodeUnfit(`${host}: ${words}`)
  return new NodeUnavailable(`${host} returned status ${status}`)
}

export function throttledWords(host: string): string {
  return `${host} asked us to slow down`
}

function isThrottling({ status, complaint }: BadReply): boolean {
  if (TOO_BUSY.includes(status) || THROTTLED.test(complaint)) return true
  // A 403 that states no cause is treated as throttling, which ends without our help.
  return status === 403 && !REFUSED.test(complaint)
}

function pauseOf({ status, retryAfterMs }: BadReply): number {
  return Math.max(retryAfterMs, status === 403 ? PAUSE_ON_403_MS : 0)
}

const REVERTED = 3
/** How nodes begin the message of an error that the contract's own code caused. */
const REVERT =
  /^(?:execution reverted|vm exception|vm execution error|revert|invalid opcode|invalid jump|stack (?:under|over)flow|stack limit reached|write protection)/i
const METHOD_NOT_FOUND = -32_601
const OF_RATE: readonly unknown[] = [429, -32_097, -32_029]
/** The node has the block, but not (any more) the state after it. */
const STATE_GONE =
  /missing trie node|state[^.]{0,40} (?:not available|unavailable|pruned)|historical state|distance to target block/i
/** Passing states of a node. */
const PASSING =
  /header (?:for hash )?not found|invalid block range params|timed? ?out|unknown block|(?:block|history)[^.]{0,40} (?:not available|unavailable|pruned)|no backend|too busy/i
/** The only call whose refusal concerns the transaction that we sent. */
const BROADCAST = 'eth_sendRawTransaction'

/**
 * Classifies the error of a JSON-RPC envelope. `RpcRefusal` is about the request itself: a revert, or a transaction that
 * is not accepted. Codes mean little, because nodes use -32000 for anything, so an error in unknown words is this node's
 * fault.
 */
export function classifyRpcError(host: string, method: string, error: RpcError): NodeUnavailable {
  // A contract chooses the wording of its revert, so nothing may be concluded from it.
  if (isRevert(error)) return new RpcRefusal(method, error)
  const words = `${host}: ${method}: ${error.message.slice(0, 200)} (${String(error.code)})`
  const range = readRangeWords(error.message)
  if (range !== undefined) return new RangeTooWide(words, range.allowed)
  if (error.code === METHOD_NOT_FOUND || NOT_OFFERED.test(error.message)) {
    return new NotOffered(words)
  }
  if (isLogsClosed(method, error)) return new NotOffered(words)
  if (OF_RATE.includes(error.code) || THROTTLED.test(error.message)) {
    return new NodeThrottled(throttledWords(host), 0)
  }
  if (STATE_GONE.test(error.message)) return new StateGone(words)
  if (PASSING.test(error.message)) return new NodeUnavailable(words)
  return method === BROADCAST ? new RpcRefusal(method, error) : new NodeUnfit(words)
}

/** Whether the contract's code ended the call: code 3, revert data, or the words of that family; never any -32000. */
export function isRevert({ code, message, data }: RpcError): boolean {
  return (
    code === REVERTED ||
    REVERT.test(message) ||
    /^(?:reverted )?0x(?:[0-9a-f]{2}){4,}$/i.test(`${data}`)
  )
}

/** BSC's public nodes do not search logs, and reply with these two words even for a single block. */
function isLogsClosed(method: string, { message }: RpcError): boolean {
  return method === 'eth_getLogs' && /^limit exceeded$/i.test(message.trim())
}
