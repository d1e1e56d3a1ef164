import { NodeUnavailable } from '../senders/node-http.ts'

export type NodeClientOptions = {
  /** Without a trailing slash. */
  url: string
  headers?: Readonly<Record<string, string>>
  timeoutMs?: number
}

/** A node asked us to slow down. Nothing is sent to it until the pause is over. */
export class NodeThrottled extends NodeUnavailable {
  override name = 'NodeThrottled'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

export type NodeClient = {
  /**
   * Posts JSON to a path and returns the JSON answer.
   * @throws NodeUnavailable for anything but a JSON answer with status 2xx
   */
  post(path: string, body: unknown): Promise<unknown>
}

const DEFAULT_TIMEOUT_MS = 10_000
const MAX_PAUSE_MS = 30_000
/** TronGrid suspends a caller for 30 s and signals it with 403. */
const PAUSE_ON_403_MS = 30_000
const THROTTLE_TEXT = /frequency limit|suspended|computing resources|rate limit|too many requests/i

/**
 * A client of one node. It treats 403, 429 and 503 as throttling, and also throttling messages in an answer with status
 * 200; then it sends nothing for as long as the node asked, or for growing pauses.
 */
export function createNodeClient(options: NodeClientOptions): NodeClient {
  const { url, headers = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const host = new URL(url).host
  let pausedUntil = 0
  let throttles = 0

  const throttle = (askedMs: number): NodeThrottled => {
    throttles += 1
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(askedMs, 500 * 2 ** Math.min(throttles, 6)))
    pausedUntil = performance.now() + pauseMs
    return new NodeThrottled(`${host} asked us to slow down`, pauseMs)
  }
  return {
    async post(path, body) {
      const waitMs = pausedUntil - performance.now()
      if (waitMs > 0) throw new NodeThrottled(`${host} asked us to slow down`, Math.ceil(waitMs))
      const response = await send(host, `${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (isThrottling(response.status)) throw throttle(askedPauseMs(response))
      if (response.status < 200 || response.status > 299) {
        throw new NodeUnavailable(`${host} returned status ${response.status}`)
      }
      const answer = parseJson(host, response.text)
      const complaint = complaintIn(answer)
      if (complaint !== undefined && THROTTLE_TEXT.test(complaint)) throw throttle(0)
      if (complaint !== undefined) throw new NodeUnavailable(`${host}: ${complaint.slice(0, 200)}`)
      throttles = 0
      return answer
    },
  }
}

type Answer = { status: number; retryAfter: string | null; text: string }

async function send(host: string, url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, init)
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, text: await response.text() }
  } catch (cause) {
    throw new NodeUnavailable(`${host} could not be reached`, { cause })
  }
}

function isThrottling(status: number): boolean {
  return status === 403 || status === 429 || status === 503
}

function askedPauseMs(answer: Answer): number {
  const seconds = /^\d{1,4}$/.test(answer.retryAfter ?? '') ? Number(answer.retryAfter) : 0
  return Math.max(seconds * 1_000, answer.status === 403 ? PAUSE_ON_403_MS : 0)
}

function parseJson(host: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new NodeUnavailable(`${host} returned text that is not JSON`, { cause })
  }
}

/** Tron nodes report their own errors in a field of an answer with status 200. */
function complaintIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('Error' in answer)) return undefined
  return String(answer.Error)
}
