const MINUTE = 60
/** A unit is used only for at least two of it. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
] as const

/** An approximate duration in words: "5 hours". Never less than a minute. */
export function durationWords(seconds: number, language: string): string {
  const format = (count: number, unit: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  const [unit, size] = UNITS.find(([, one]) => seconds >= 2 * one) ?? ['minute', MINUTE]
  return format(Math.max(1, Math.round(seconds / size)), unit)
}
