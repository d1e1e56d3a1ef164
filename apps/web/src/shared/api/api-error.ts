/** The error code of a request that failed because the browser is offline. */
export const OFFLINE = 'OFFLINE'

/** The service refused the request or did not respond; `status` is 0 if there was no response. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: unknown
  constructor(answer: { status: number; message?: string; code?: string; details?: unknown }) {
    super(answer.message ?? '')
    this.status = answer.status
    this.code = answer.code ?? ''
    this.details = answer.details
  }
}

/** The text to show for a failed request: the server's message if it sent one, otherwise the caller's fallback. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

/** Whether the service itself did not respond: there was no response at all, or only an error from a proxy. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502)
}
