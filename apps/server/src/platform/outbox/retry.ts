/** Attempts are spread over about a day; then the delivery has failed. */
export const MAX_ATTEMPTS = 12
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 6 * 3_600_000
const JITTER = 0.2

/**
 * How long to wait after this many attempts: three times as long each time, give or take a fifth, and at least as long
 * as the receiver asked for, but no longer than `LONGEST_PAUSE_MS` for that.
 */
export function retryPauseMs(facts: {
  attempts: number
  /** From 0 to 1. */
  random: number
  /** What the receiver asked for. */
  retryAfterMs: number
}): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (facts.attempts - 1))
  const shaken = pause * (1 - JITTER + 2 * JITTER * facts.random)
  return Math.max(Math.round(shaken), Math.min(facts.retryAfterMs, LONGEST_PAUSE_MS))
}
