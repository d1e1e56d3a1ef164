const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S

/** A duration in the largest unit of which it has at least two, rounded down. */
export function durationParts(seconds: number): {
  unit: 'seconds' | 'minutes' | 'hours'
  count: number
} {
  if (seconds < 2 * MINUTE_S) return { unit: 'seconds', count: seconds }
  if (seconds < 2 * HOUR_S) return { unit: 'minutes', count: Math.floor(seconds / MINUTE_S) }
  return { unit: 'hours', count: Math.floor(seconds / HOUR_S) }
}
