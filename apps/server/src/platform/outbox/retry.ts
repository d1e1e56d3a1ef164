/** Attempts at a message that only its receiver hinders are spread over about a day; then it has failed. */
export const MAX_ATTEMPTS = 12
/** A message that something on the operator's side hinders is kept for this long, and goes out once that is mended. */
export const KEPT_MS = 7 * 24 * 3_600_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = {
  personal: 6 * 3_600_000,
  // Short enough that messages flow, and the alarm about it ends, soon after the end of the trouble.
  shared: 10 * 60_000,
}
const JITTER = 0.2
/** Longer than anything waits: quiet hours, a request to wait. */
export const LONGEST_WAIT_MS = 25 * 3_600_000

/**
 * How long to wait after this many attempts: three times as long each time, give or take a fifth, and at least as long
 * as the receiver asked for, but no longer than six hours for that.
 */
export function retryPauseMs(facts: {
  attempts: number
  /** Whether only this receiver is affected. */
  isPersonal: boolean
  /** From 0 to 1. */
  random: number
  /** What the receiver asked for. */
  retryAfterMs: number
}): number {
  const longest = LONGEST_PAUSE_MS[facts.isPersonal ? 'personal' : 'shared']
  const pause = Math.min(longest, FIRST_PAUSE_MS * 3 ** (facts.attempts - 1))
  const shaken = pause * (1 - JITTER + 2 * JITTER * facts.random)
  return Math.max(Math.round(shaken), Math.min(facts.retryAfterMs, LONGEST_PAUSE_MS.personal))
}

/** Whether a message is given up after this many attempts and this long. */
export function isGivenUp(facts: {
  attempts: number
  isPersonal: boolean
  waitedMs: number
}): boolean {
  // Also after a number of attempts, because a clock that was wrong for a moment must not end every message.
  return facts.attempts >= MAX_ATTEMPTS && (facts.isPersonal || facts.waitedMs > KEPT_MS)
}
