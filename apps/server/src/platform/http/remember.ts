import { type Clock, msSince } from '../clock.ts'

/**
 * Shares one read among all callers within `forMs` of real time. A failed read is not remembered.
 */
export function remember<T>(
  { realClock, forMs }: { realClock: Clock; forMs: number },
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { value: Promise<T>; readAt: Date } | undefined
  return () => {
    const now = realClock.now()
    if (kept !== undefined && msSince(kept.readAt, now) < forMs) return kept.value
    const entry = { value: read(), readAt: now }
    kept = entry
    entry.value.catch(() => {
      if (kept === entry) kept = undefined
    })
    return entry.value
  }
}
