/** The responses that `start.js` requested while the page's code was still loading. */
type EarlyAnswers = {
  /** The session token that it used; null for a visitor. */
  token: string | null
  /** In the page's own time, `performance.now()`. */
  askedAt: number
  /** By URL; each is used once. */
  answers: Record<string, Promise<Response> | undefined>
}

declare global {
  var earlyAnswers: EarlyAnswers | undefined
}

/** On a slow connection, code may load so slowly that figures requested before it are outdated when the page starts. */
const FRESH_FOR_MS = 10_000

/**
 * Returns the response to a read of this URL if it was requested early, recently, and with the same session token.
 * Undefined otherwise, and if the request failed; the caller then sends its own request.
 */
export async function takeEarlyAnswer(
  address: string,
  token: string | null,
): Promise<Response | undefined> {
  const early = globalThis.earlyAnswers
  const answer = early?.answers[address]
  if (!early || !answer) return undefined
  delete early.answers[address]
  const isFresh = performance.now() - early.askedAt <= FRESH_FOR_MS
  if (!isFresh || early.token !== token) return undefined
  // The caller then repeats the request and sees why it fails.
  return answer.catch(() => undefined)
}

/** Discards all early responses, so that everything is requested again. */
export function forgetEarlyAnswers(): void {
  globalThis.earlyAnswers = undefined
}
