/** The code of a call that failed because the browser has no connection. */
export const OFFLINE = 'OFFLINE'

/** The service refused the call, or did not answer it; `status` is 0 when there was no answer. */
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

/** The text to show for a failed call: the server's message if it sent one, otherwise the caller's fallback. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

/** Whether nothing is known of what the service says to the call: no answer came, or only a proxy's. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502)
}
