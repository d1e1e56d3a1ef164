import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'
import { Refusal } from '../errors.ts'
import type { Answered } from './answered.ts'
import type { CallLimiter } from './call-limits.ts'

export type UnparsedDeps = {
  limiter: CallLimiter
  onAnswered(answered: Answered): void
  /** The headers of every response. */
  headers: Readonly<Record<string, string>>
}

/** Codes of Node's HTTP parser and server; every other one is a request that is not HTTP. */
const BY_PARSER_CODE: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/**
 * Answers a request that never reached the router, because it is not valid HTTP, like any other refused call: in the
 * same shape, with the same headers, an id, and a place in the limits and the log.
 */
export function answerUnparsed(
  { limiter, onAnswered, headers }: UnparsedDeps,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const code = countedCode(limiter, error, socket)
  const { status, message } = ERRORS[code]
  const id = randomUUID()
  const body = JSON.stringify({ message, code })
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
    'cache-control': 'no-store',
    'x-request-id': id,
    ...(status === 429 ? { 'retry-after': '60' } : {}),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  onAnswered({ id, method: 'unknown', route: 'unknown', status, seconds: 0, user: undefined })
}

function countedCode(
  limiter: CallLimiter,
  { code = '' }: NodeJS.ErrnoException,
  { remoteAddress = '' }: Socket,
): ErrorCode {
  try {
    limiter.ofNetwork('read', remoteAddress)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code
  }
  return BY_PARSER_CODE[code] ?? 'BAD_REQUEST'
}
