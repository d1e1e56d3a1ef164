import { tokenStore } from '../session/token-store.ts'
import { ApiError } from './api-error.ts'

const BASE_PATH = '/api'
/** The server's word that the token is no longer good; any other 401 is about a signature. */
const SESSION_OVER = 'NOT_SIGNED_IN'

export type QueryParams = Readonly<Record<string, string | number | boolean | undefined>>
type CallOptions = {
  query?: QueryParams
  signal?: AbortSignal
  /** Another token than the stored one; `null`, as for login and registration, sends none. */
  token?: string | null
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const sessionOverListeners = new Set<() => void>()

/** Hears of calls that were refused because the session ended. Returns the way to stop hearing. */
export function onSessionOver(listener: () => void): () => void {
  sessionOverListeners.add(listener)
  return () => sessionOverListeners.delete(listener)
}

/** The typed way to the service. Every failure is an `ApiError`, except a call that was cancelled. */
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
}

async function call<T>(
  method: Method,
  path: string,
  body: object | undefined,
  { query = {}, signal, token = tokenStore.get() }: CallOptions = {},
): Promise<T> {
  const headers = new Headers({ accept: 'application/json' })
  if (body) headers.set('content-type', 'application/json')
  if (token) headers.set('authorization', `Bearer ${token}`)

  const response = await send(`${BASE_PATH}${path}${queryString(query)}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const answer = await readJson(response)
  if (response.ok) return answer as T

  const error = refusal(response.status, answer)
  // A newer login may have replaced the token that this call carried.
  if (token && error.code === SESSION_OVER && tokenStore.get() === token) {
    for (const listener of sessionOverListeners) listener()
  }
  throw error
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (cause) {
    if (request.signal?.aborted) throw cause
    throw new ApiError({ status: 0 })
  }
}

/** An answer without readable JSON counts as one without a message. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    if (response.ok && text !== '') throw new ApiError({ status: response.status })
    return undefined
  }
}

function refusal(status: number, answer: unknown): ApiError {
  const { message, code, details } = (answer ?? {}) as Record<string, unknown>
  return new ApiError({
    status,
    ...(typeof message === 'string' && { message }),
    ...(typeof code === 'string' && { code }),
    details,
  })
}

function queryString(query: QueryParams): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]))
  return search.size > 0 ? `?${search}` : ''
}
