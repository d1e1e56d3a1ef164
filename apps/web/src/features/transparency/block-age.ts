const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S

/** A block's age at an instant, in the most readable unit. A block from the future is 0 s old. */
export function blockAge(
  blockAt: string,
  seenAt: string,
): { unit: 'seconds' | 'minutes' | 'hours'; count: number } {
  const ms = new Date(seenAt).getTime() - new Date(blockAt).getTime()
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 2 * MINUTE_S) return { unit: 'seconds', count: seconds }
  if (seconds < 2 * HOUR_S) return { unit: 'minutes', count: Math.floor(seconds / MINUTE_S) }
  return { unit: 'hours', count: Math.floor(seconds / HOUR_S) }
}
