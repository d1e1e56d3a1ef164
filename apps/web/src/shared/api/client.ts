import { clock } from '../clock.ts'
import { refusalText } from '../i18n/refusals.ts'
import { serviceSentence } from '../i18n/service-sentence.ts'
import { i18n } from '../i18n/texts.ts'
import { tokenStore } from '../session/token-store.ts'
import { apiTexts } from './api.texts.ts'
import { ApiError, OFFLINE } from './api-error.ts'
import { callAddress, type QueryParams } from './call-address.ts'
import { isConnected, isOffline, noteAnswer } from './connection.ts'
import { forgetEarlyAnswers, takeEarlyAnswer } from './early-answers.ts'
import { noteReportAge } from './report-age.ts'

/** The error code for an expired or ended session; any other 401 is about a signature. */
const SESSION_OVER = 'NOT_SIGNED_IN'

type CallOptions = {
  query?: QueryParams
  signal?: AbortSignal
  /**
   * A token to send instead of this page's: `null` sends none, as for login and registration; that of a session that
   * the page has left is for ending it.
   */
  token?: string | null
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * How long a request waits for its response. A browser can delay a request for minutes, and an action must not be
 * carried out that long after the user requested it.
 */
const ANSWER_WITHIN_MS = 30_000
const TOO_LATE = 'TOO_LATE'
let answeredAt: Date | undefined

/** When the service last responded; no data on the page is newer than this. */
export function lastAnswerAt(): Date | undefined {
  return answeredAt
}

/** The error codes by which the service requires a fresh signature, or consent, before it carries out a request. */
const CONFIRMABLE = ['STEP_UP_REQUIRED', 'TERMS_CONSENT_REQUIRED']
type Confirm = () => Promise<boolean>
let confirm: Confirm | undefined

/**
 * Registers the handler that obtains what the service requires: a fresh signature of an admin, or a holder's consent to
 * new terms. The request is repeated once that is given; without a handler, or without a confirmation, it fails.
 * @returns a function that removes the handler
 */
export function confirmBy(asker: Confirm): () => void {
  confirm = asker
  return () => {
    if (confirm === asker) confirm = undefined
  }
}

/** The typed client of the service. Every failure is an `ApiError`, except a cancelled request. */
export const api = {
  get: <T>(path: string, options?: CallOptions): Promise<T> =>
    call('GET', path, undefined, options),
  post: <T>(path: string, body: object, options?: CallOptions): Promise<T> =>
    call('POST', path, body, options),
  put: <T>(path: string, body: object, options?: CallOptions): Promise<T> =>
    call('PUT', path, body, options),
  patch: <T>(path: string, body: object, options?: CallOptions): Promise<T> =>
    call('PATCH', path, body, options),
  delete: <T>(path: string, options?: CallOptions): Promise<T> =>
    call('DELETE', path, undefined, options),
  /** Downloads a file as a Blob, which browsers can keep on disk, under the file name the service gives it. */
  file: async (path: string, options?: CallOptions): Promise<{ name: string; content: Blob }> => {
    const response = await ask('GET', path, undefined, { ...options, isFile: true })
    const disposition = response.headers.get('content-disposition') ?? ''
    const name = /filename="([\w.-]+)"/.exec(disposition)?.[1] ?? 'file'
    try {
      return { name, content: await response.blob() }
    } catch (cause) {
      if (options?.signal?.aborted) throw cause
      // The download was interrupted.
      throw new ApiError({ status: 0 })
    }
  },
}

async function call<T>(
  method: Method,
  path: string,
  body: object | undefined,
  options?: CallOptions,
): Promise<T> {
  const response = await ask(method, path, body, options)
  return inOurLanguage(await readJson(response)) as T
}

/** The response with the service's message translated to the current language. */
function inOurLanguage(answer: unknown): unknown {
  const { message } = (answer ?? {}) as Record<string, unknown>
  return typeof message === 'string'
    ? { ...(answer as object), message: serviceSentence('successes', message) }
    : answer
}

/**
 * Sends a request. @returns the response, always a successful one
 * @throws ApiError
 */
async function ask(
  method: Method,
  path: string,
  body: object | undefined,
  options: CallOptions & { isFile?: boolean } = {},
): Promise<Response> {
  const { query, signal, token = tokenStore.get(), isFile = false } = options
  // Whatever was waited for, nothing is sent or shown for a session that the page has left meanwhile.
  const stay = () => {
    const isOwn = options.token === undefined && token !== null
    if (isOwn && tokenStore.get() !== token) throw refusal(401, { code: SESSION_OVER })
  }
  const headers = new Headers({ accept: 'application/json' })
  if (body) headers.set('content-type', 'application/json')
  if (token) headers.set('authorization', `Bearer ${token}`)

  const address = callAddress(path, query)
  // Data read before a change may be outdated after it.
  if (method !== 'GET') forgetEarlyAnswers()
  const early = await takeEarlyAnswer(address, token)
  const response = await send(
    address,
    { early, stay },
    {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      // A large download may take as long as it needs.
      signal: isFile ? (signal ?? null) : withTimeLimit(signal),
    },
  )
  if (response.ok) return response

  const error = refusal(response.status, await readJson(response))
  if (token && error.code === SESSION_OVER) tokenStore.expire(token)
  if (CONFIRMABLE.includes(error.code) && confirm !== undefined && (await confirm())) {
    stay()
    return ask(method, path, body, options)
  }
  throw error
}

async function send(
  url: string,
  { early, stay }: { early: Response | undefined; stay: () => void },
  request: RequestInit,
): Promise<Response> {
  const isRead = request.method === 'GET'
  // A read shows by itself whether there is a connection.
  if (!isRead && !(await isConnected())) throw unanswered('offlineUnsent')
  stay()
  try {
    const response = early ?? (await fetch(url, request))
    noteAnswer(true)
    noteReportAge(response)
    answeredAt = clock.now()
    return response
  } catch (cause) {
    const isTooLate = request.signal?.reason === TOO_LATE
    if (request.signal?.aborted && !isTooLate) throw cause
    noteAnswer(false)
    if (isRead && isOffline()) throw unanswered('offline')
    // The request may have reached the service, so the caller has to check.
    if (!isRead && (isTooLate || isOffline())) throw unanswered('noAnswer')
    throw new ApiError({ status: 0 })
  }
}

function unanswered(why: keyof (typeof apiTexts)['english']): ApiError {
  const code = why === 'noAnswer' ? '' : OFFLINE
  return new ApiError({ status: 0, code, message: i18n._(`${apiTexts.scope}.${why}`) })
}

/** A signal that also aborts a request that takes too long. */
function withTimeLimit(signal: AbortSignal | undefined): AbortSignal {
  const limit = new AbortController()
  setTimeout(() => limit.abort(TOO_LATE), ANSWER_WITHIN_MS)
  signal?.addEventListener('abort', () => limit.abort(signal.reason))
  return limit.signal
}

/** Parses the response; a refusal without readable JSON is treated as one without a message. @throws ApiError */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => {
    throw new ApiError({ status: 0 })
  })
  try {
    return JSON.parse(text)
  } catch {
    if (response.ok && text !== '') throw new ApiError({ status: response.status })
    return undefined
  }
}

function refusal(status: number, answer: unknown): ApiError {
  const { message, code, details } = (answer ?? {}) as Record<string, unknown>
  const english = typeof message === 'string' ? message : ''
  if (typeof code !== 'string') return new ApiError({ status, message: english, details })
  return new ApiError({ status, code, message: refusalText(code, english, details), details })
}
