import { lookup } from 'node:dns'
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

/** How long each part of a request may take, in milliseconds, and how much of the reply is read, in bytes. */
export type HttpLimits = {
  /** Until a connection stands, encrypted where the address says so; includes finding the host's address. */
  connectMs: number
  /** Until the whole reply has arrived, however steadily it trickles in. */
  wholeMs: number
  /** A longer reply is cut off there. */
  mostBytes: number
}

export type HttpQuestion = {
  method: 'GET' | 'HEAD' | 'POST'
  /** Http or https. */
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  limits: HttpLimits
  /**
   * Which network addresses may be contacted; any by default. Checked when connecting, so that no later DNS answer can
   * bypass it.
   */
  mayReach?: (address: string) => boolean
  /**
   * When the status alone is an answer: its body is then not waited for, and the result has an empty one. A receiver
   * that has accepted a message has it, whatever it does with the rest of its reply.
   */
  isEnough?: (status: number) => boolean
}

export type HttpReply = {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** Whether the body was cut off at `mostBytes`. */
  isCut: boolean
}

/**
 * No usable reply arrived. `reason` is a code such as `ECONNREFUSED` or `TIMEOUT`; neither it nor the message contains
 * more of the address than its host, because paths and headers contain secrets.
 */
export class HttpFailure extends Error {
  override name = 'HttpFailure'
  readonly host: string
  readonly reason: string

  constructor(host: string, reason: string) {
    super(`${host} ${REASONS[reason] ?? `could not be reached (${reason})`}.`)
    this.host = host
    this.reason = reason
  }
}

const REASONS: Readonly<Record<string, string>> = {
  TIMEOUT: 'did not answer in time',
  FORBIDDEN: 'is not on the public internet',
  ENCODED: 'answered in an encoding that was not asked for',
  BROKEN: 'closed the connection before its answer was complete',
}

const KEPT = { keepAlive: true, maxFreeSockets: 16, timeout: 30_000 }
const agents = { http: new HttpAgent(KEPT), https: new HttpsAgent(KEPT) }

/**
 * Sends one HTTP request and reads the reply. The one client for everything outside: it always settles within the
 * limits and then leaves no connection waiting, whatever the other side does. It follows no redirects, because a secret
 * in the request would reach another host, whose answer would then be believed; a redirect is an answer like any other.
 * @throws HttpFailure
 */
export async function askHttp(question: HttpQuestion): Promise<HttpReply> {
  const url = new URL(question.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const { mayReach, limits } = question
  if (mayReach !== undefined && isIP(host) !== 0 && !mayReach(host))
    throw new HttpFailure(url.host, 'FORBIDDEN')
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limits.wholeMs)
  try {
    const first = await exchange(url, question, late.signal)
    if (first !== 'lost') return first
    // The server had closed a kept connection before it received the request, and perhaps all others with it.
    const reply = await exchange(url, question, late.signal, { isFresh: true })
    if (reply === 'lost') throw new HttpFailure(url.host, 'ECONNRESET')
    return reply
  } finally {
    clearTimeout(timer)
  }
}

/** @returns `lost` when a connection that was kept from an earlier request turned out to be closed */
async function exchange(
  url: URL,
  question: HttpQuestion,
  late: AbortSignal,
  { isFresh = false } = {},
): Promise<HttpReply | 'lost'> {
  const outcome = Promise.withResolvers<HttpReply | 'lost'>()
  const request = open(url, question, isFresh)
  const fail = (reason: string) => outcome.reject(new HttpFailure(url.host, reason))
  const end = () => {
    fail('TIMEOUT')
    request.destroy()
  }
  const connecting = setTimeout(end, question.limits.connectMs)
  late.addEventListener('abort', end)
  request.on('socket', (socket) => {
    const isOpen = () => clearTimeout(connecting)
    if (socket.connecting)
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', isOpen)
    else isOpen()
  })
  request.on('error', (error) => {
    const reason = reasonOf(error)
    if (reason === 'ECONNRESET' && request.reusedSocket) outcome.resolve('lost')
    else fail(reason)
  })
  let isAnswered = false
  // A reply that switches protocols ends with this alone.
  request.on('close', () => isAnswered || fail('BROKEN'))
  request.on('response', (response) => {
    isAnswered = true
    readReply(response, question).then(outcome.resolve, (error) => fail(reasonOf(error)))
  })
  request.end(question.body)
  try {
    return await outcome.promise
  } finally {
    clearTimeout(connecting)
    late.removeEventListener('abort', end)
  }
}

function open(
  url: URL,
  { method, headers, body, mayReach }: HttpQuestion,
  isFresh: boolean,
): ClientRequest {
  const isSecure = url.protocol === 'https:'
  const request = isSecure ? requestHttps : requestHttp
  return request(url, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    // Where addresses are checked, each request opens its own connection.
    ...(mayReach === undefined
      ? { agent: isFresh ? false : isSecure ? agents.https : agents.http }
      : { agent: false, lookup: lookupAmong(mayReach) }),
  })
}

async function readReply(
  response: IncomingMessage,
  { limits, isEnough }: HttpQuestion,
): Promise<HttpReply> {
  const { statusCode: status = 0, headers } = response
  const head = { status, headers }
  if (isEnough?.(status) === true) {
    response.on('error', () => undefined)
    response.destroy()
    return { ...head, body: '', isCut: true }
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    response.destroy()
    throw Object.assign(new Error(), { code: 'ENCODED' })
  }
  const chunks: Buffer[] = []
  let left = limits.mostBytes
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    // Leaving the loop closes the connection.
    if (left <= 0) return { ...head, body: `${Buffer.concat(chunks)}`, isCut: true }
  }
  return { ...head, body: `${Buffer.concat(chunks)}`, isCut: false }
}

/** Resolves host names to those of their addresses that may be reached. */
function lookupAmong(mayReach: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first, ...others] = (found ?? []).filter(({ address }) => mayReach(address))
      if (error !== null) callback(error, [])
      else if (first === undefined) callback(new HttpFailure(host, 'FORBIDDEN'), [])
      else if (options.all === true) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    })
  }
}

/** The code of a failure. The rest of its message may contain the whole address. */
function reasonOf(error: unknown): string {
  if (error instanceof HttpFailure) return error.reason
  if (!(error instanceof Error)) return 'UNKNOWN'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
