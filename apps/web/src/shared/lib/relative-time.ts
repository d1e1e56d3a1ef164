const MINUTE_MS = 60_000
/** From two of a unit on it is the one to speak in; below that the next smaller one says more. */
const UNITS = [
  ['day', 1440],
  ['hour', 60],
] as const
const SPOKEN_FROM = 2

/** How far an instant is away, in words: "in 9 days", "3 hours ago". */
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
