import type { IncomingHttpHeaders } from 'node:http'
import { askHttp, HttpFailure } from '../http/ask-http.ts'
import { type BadReply, classifyReply, throttledWords } from './classify.ts'
import { wordsOf } from './decode.ts'
import { NodeThrottled, NodeUnavailable, NodeUnfit } from './failures.ts'
import { createRequestBudget, type RequestBudget } from './request-budget.ts'

/** One address of a node, and what is needed to use it. */
export type NodeAccess = {
  /** Without a trailing slash. */
  url: string
  /** Such as a provider's key. */
  headers?: Readonly<Record<string, string>>
  timeoutMs?: number
  /** By default, a separate one without a practical limit. */
  budget?: RequestBudget
  /** Called after every request. */
  onRequest?: (outcome: 'answered' | NodeUnavailable) => void
  /** Called with the quota that a provider reports. */
  onQuota?: (quota: Quota) => void
}

/** The number of requests that a provider still accepts, out of `limit` in its period. */
export type Quota = { remaining: number; limit: number }

export type NodeClient = {
  /** Without the path, because paths contain keys. */
  host: string
  /**
   * Posts JSON to a path and reads the JSON answer.
   * @param read throws for an answer that does not fit, or reports a failure
   * @throws NodeUnavailable for anything but a JSON answer with status 2xx that can be read
   */
  post<T>(path: string, body: unknown, read: (answer: unknown) => T): Promise<T>
}

const DEFAULT_TIMEOUT_MS = 10_000
const CONNECT_MS = 5_000
/** Far more than the largest block with all its receipts. */
const MOST_BYTES = 256 * 1_024 * 1_024
const UNLIMITED_PER_SECOND = 10_000

/** A client of one address of a node. It sends nothing while the budget is closed or empty. */
export function createNodeClient(access: NodeAccess): NodeClient {
  const { url, headers = {}, timeoutMs = DEFAULT_TIMEOUT_MS, onRequest } = access
  const { host } = new URL(url)
  const budget = access.budget ?? createRequestBudget({ host, perSecond: UNLIMITED_PER_SECOND })
  const hide = hiderOf(access)

  const failed = (failure: NodeUnavailable): NodeUnavailable => {
    const isPause = failure instanceof NodeThrottled
    const error = isPause
      ? new NodeThrottled(throttledWords(host), budget.slowDown(failure.retryAfterMs))
      : failure
    onRequest?.(error)
    return error
  }
  return {
    host,
    async post(path, body, read) {
      await budget.take()
      const response = await send(`${url}${path}`, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        timeoutMs,
      })
      if ('unreached' in response) {
        const words = `${host} could not be reached (${response.unreached})`
        throw failed(new NodeUnavailable(words))
      }
      if (response.quota !== undefined) access.onQuota?.(response.quota)
      const reply = readReply(response)
      if (reply.complaint !== undefined) {
        throw failed(classifyReply({ ...reply, host, complaint: hide(reply.complaint) }))
      }
      const outcome = outcomeOf(() => read(reply.answer))
      if ('failure' in outcome && !outcome.failure.isAnswer) {
        const { failure } = outcome
        throw failed(failure instanceof NodeUnfit ? unfitAt(host, failure) : failure)
      }
      budget.answered()
      onRequest?.('answered')
      if ('failure' in outcome) throw outcome.failure
      return outcome.value
    },
  }
}

function outcomeOf<T>(read: () => T): { value: T } | { failure: NodeUnavailable } {
  try {
    return { value: read() }
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    return { failure: error }
  }
}

function unfitAt(host: string, { message }: NodeUnfit): NodeUnfit {
  return message.startsWith(`${host}: `)
    ? new NodeUnfit(message)
    : new NodeUnfit(`${host}: ${message}`)
}

type Response = {
  status: number
  retryAfter: string | null
  quota: Quota | undefined
  text: string
}

type Sent = { headers: Readonly<Record<string, string>>; body: string; timeoutMs: number }

/** The reply, or the reason why none arrived. */
async function send(
  url: string,
  { timeoutMs, ...sent }: Sent,
): Promise<Response | { unreached: string }> {
  const limits = { connectMs: CONNECT_MS, wholeMs: timeoutMs, mostBytes: MOST_BYTES }
  try {
    const reply = await askHttp({ ...sent, method: 'POST', url, limits })
    const { status, headers, body: text } = reply
    if (reply.isCut) return { unreached: 'endless answer' }
    const retryAfter = headers['retry-after'] ?? null
    return { status, retryAfter, quota: readQuota(headers), text }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    return { unreached: error.reason }
  }
}

/** The names in a draft standard, and those that were common before it. */
const QUOTA_HEADERS = ['ratelimit', 'x-ratelimit', 'x-rate-limit']

function readQuota(headers: IncomingHttpHeaders): Quota | undefined {
  for (const name of QUOTA_HEADERS) {
    const [limit, remaining] = ['limit', 'remaining'].map((end) => headers[`${name}-${end}`])
    if (isWhole(limit) && isWhole(remaining)) {
      return { limit: Number(limit), remaining: Number(remaining) }
    }
  }
  return undefined
}

function isWhole(text: string | string[] | undefined): text is string {
  return typeof text === 'string' && /^\d{1,12}$/.test(text)
}

type Reply = Pick<BadReply, 'status' | 'retryAfterMs'> &
  ({ complaint: string } | { complaint?: undefined; answer: unknown })

function readReply({ status, retryAfter, text }: Response): Reply {
  const seconds = /^\d{1,4}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0
  const head = { status, retryAfterMs: seconds * 1_000 }
  const answer = parseJson(text)
  const isFine = status >= 200 && status <= 299
  if (answer === undefined) {
    return { ...head, complaint: isFine ? `text that is not JSON: ${text}` : text }
  }
  const complaint = complaintIn(answer)
  if (isFine && complaint === undefined) return { ...head, answer }
  return { ...head, complaint: complaint ?? messageIn(answer) ?? text }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Tron nodes report their own errors in a field of an answer with status 200. */
function complaintIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('Error' in answer)) return undefined
  return wordsOf(answer.Error)
}

/** The message in a JSON body with an error status: some providers put a JSON-RPC envelope there. */
function messageIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { error, message } = answer as { error?: unknown; message?: unknown }
  if (typeof error === 'object' && error !== null && 'message' in error) {
    return wordsOf(error.message)
  }
  return typeof error === 'string' ? error : typeof message === 'string' ? message : undefined
}

const SHORTEST_SECRET = 8

/** Providers repeat keys in their error messages, which are logged and shown. */
function hiderOf({ url, headers = {} }: NodeAccess): (text: string) => string {
  const { pathname, search, username, password } = new URL(url)
  const parts = [...pathname.split('/'), ...search.split(/[?&=]/), username, password]
  const secrets = [...parts, ...Object.values(headers).flatMap((value) => value.split(/\s+/))]
    .filter((part) => part.length >= SHORTEST_SECRET && part !== 'walletsolidity')
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text)
}
