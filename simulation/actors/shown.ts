import type { Reply } from '../world/api.ts'

/** An answer of the API in a word. */
export function shown({ status, body }: Reply): string {
  if (status === 0) return 'no answer'
  return status < 300 ? 'done' : String(body.code ?? status)
}
