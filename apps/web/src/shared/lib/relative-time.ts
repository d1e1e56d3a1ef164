const MINUTE_MS = 60_000
/** A unit is used only for at least two of it; below that, the next smaller one is more precise. */
const UNITS = [
  ['day', 1440],
  ['hour', 60],
] as const
const SPOKEN_FROM = 2

/** The distance to an instant in words: "in 9 days", "3 hours ago". */
export function relativeTime(at: Date, now: Date, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  const minutes = Math.trunc((at.getTime() - now.getTime()) / MINUTE_MS)
  for (const [unit, size] of UNITS) {
    if (Math.abs(minutes) >= size * SPOKEN_FROM) {
      return words.format(Math.trunc(minutes / size), unit)
    }
  }
  return words.format(minutes, 'minute')
}
