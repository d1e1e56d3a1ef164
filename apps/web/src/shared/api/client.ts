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

/** The service's word that it wants a fresh signature before it does what was asked. */
const STEP_UP = 'STEP_UP_REQUIRED'
type Confirm = () => Promise<boolean>
let confirm: Confirm | undefined

/**
 * Names who asks for a fresh signature when the service wants one; once it was given, the call is repeated. Without
 * one, or when it was not given, the call fails. Returns the way to leave.
 */
export function confirmBy(asker: Confirm): () => void {
  confirm = asker
  return () => {
    if (confirm === asker) confirm = undefined
  }
}

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
  /** A file, which the browser keeps outside of its memory, under the name that the service gives it. */
  file: async (path: string, options?: CallOptions): Promise<{ name: string; content: Blob }> => {
    const response = await ask('GET', path, undefined, options)
    const disposition = response.headers.get('content-disposition') ?? ''
    const name = /filename="([\w.-]+)"/.exec(disposition)?.[1] ?? 'file'
    try {
      return { name, content: await response.blob() }
    } catch (cause) {
      if (options?.signal?.aborted) throw cause
      // It broke off in the middle.
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
  return (await readJson(response)) as T
}

/** The answer to a call that the service did not refuse. */
async function ask(
  method: Method,
  path: string,
  body: object | undefined,
  { query = {}, signal, token = tokenStore.get() }: CallOptions = {},
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (body) headers.set('content-type', 'application/json')
  if (token) headers.set('authorization', `Bearer ${token}`)

  const response = await send(`${BASE_PATH}${path}${queryString(query)}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  if (response.ok) return response

  const error = refusal(response.status, await readJson(response))
  // A newer login may have replaced the token that this call carried.
  if (token && error.code === SESSION_OVER && tokenStore.get() === token) {
    for (const listener of sessionOverListeners) listener()
  }
  if (error.code === STEP_UP && confirm !== undefined && (await confirm())) {
    return ask(method, path, body, { query, token, ...(signal && { signal }) })
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
