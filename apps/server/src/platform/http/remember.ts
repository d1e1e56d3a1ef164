import type { Clock } from '../clock.ts'

/**
 * Shares one read among all callers within `forMs` of real time. A failed read is not remembered.
 */
export function remember<T>(
  { realClock, forMs }: { realClock: Clock; forMs: number },
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { value: Promise<T>; until: number } | undefined
  return () => {
    const now = realClock.now().getTime()
    if (kept !== undefined && now < kept.until) return kept.value
    const entry = { value: read(), until: now + forMs }
    kept = entry
    entry.value.catch(() => {
      if (kept === entry) kept = undefined
    })
    return entry.value
  }
}
