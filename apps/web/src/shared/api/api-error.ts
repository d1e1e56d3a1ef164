/** The service said no, or did not answer: `status` 0 when no answer came at all. */
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

/** The text to show for a failed call: the server's own message first, else the screen's fallback. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}
