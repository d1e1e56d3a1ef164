/** What `start.js` asked for while the page's code was still on its way. */
type EarlyAnswers = {
  /** The session in whose name it asked; null for a visitor. */
  token: string | null
  /** By the page's own time, `performance.now()`. */
  askedAt: number
  /** By address; each is taken once. */
  answers: Record<string, Promise<Response> | undefined>
}

declare global {
  var earlyAnswers: EarlyAnswers | undefined
}

/** On a slow connection code may take so long that figures asked for before it are no longer those of the page's start. */
const FRESH_FOR_MS = 10_000

/**
 * The answer to a read of that address, if it was asked for early, a moment ago, and in the name of the same session.
 * Undefined otherwise, and if it failed: then ask.
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
  // Whoever takes it then asks again, and learns why it fails.
  return answer.catch(() => undefined)
}

/** Has everything asked for again. */
export function forgetEarlyAnswers(): void {
  globalThis.earlyAnswers = undefined
}
