import {
  NodeRefused,
  NodeThrottled,
  NodeUnavailable,
  NotOffered,
  RangeTooWide,
  type RpcError,
  RpcRefusal,
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

/** Classifies a reply as a failure. Its wording counts for more than its status, which providers choose freely. */
export function classifyReply(reply: BadReply): NodeUnavailable {
  const { host, status, complaint } = reply
  const words = complaint.slice(0, 200)
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
  if (status >= 200 && status <= 299) return new NodeUnavailable(`${host}: ${words}`)
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
const REVERT = /^(?:execution reverted|vm exception|revert)/i
const METHOD_NOT_FOUND = -32_601
const LIMIT_EXCEEDED = -32_005
const OF_RATE: readonly unknown[] = [429, -32_097, -32_029]
/** Errors about the state of the node, which some nodes send with the same code as reverts. */
const OF_NODE =
  /header not found|missing trie node|timed? ?out|unknown block|(?:state|block|history)[^.]{0,40} (?:not available|unavailable|pruned)|no backend|internal error|too busy/i

/** Classifies the error of a JSON-RPC envelope. `RpcRefusal` is about the request itself. */
export function classifyRpcError(host: string, method: string, error: RpcError): NodeUnavailable {
  // A contract chooses the wording of its revert, so nothing may be concluded from it.
  if (error.code === REVERTED || REVERT.test(error.message)) return new RpcRefusal(method, error)
  const words = `${host}: ${method}: ${error.message.slice(0, 200)} (${String(error.code)})`
  const range = readRangeWords(error.message)
  if (range !== undefined) return new RangeTooWide(words, range.allowed)
  if (error.code === METHOD_NOT_FOUND || NOT_OFFERED.test(error.message)) {
    return new NotOffered(words)
  }
  if (error.code === LIMIT_EXCEEDED && isLogsClosed(method, error)) return new NotOffered(words)
  if (OF_RATE.includes(error.code) || THROTTLED.test(error.message)) {
    return new NodeThrottled(throttledWords(host), 0)
  }
  if (OF_NODE.test(error.message)) return new NodeUnavailable(words)
  return new RpcRefusal(method, error)
}

/** BSC's public nodes do not search logs, and reply with these two words even for a single block. */
function isLogsClosed(method: string, { message }: RpcError): boolean {
  return method === 'eth_getLogs' && /^limit exceeded$/i.test(message.trim())
}
