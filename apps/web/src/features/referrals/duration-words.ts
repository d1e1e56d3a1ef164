const MINUTE = 60
/** From two of a unit on it is the one to speak in. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
] as const

/** About how long something takes, in words: "5 hours". Never less than a minute. */
export function durationWords(seconds: number, language: string): string {
  const spell = (count: number, unit: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  const [unit, size] = UNITS.find(([, one]) => seconds >= 2 * one) ?? ['minute', MINUTE]
  return spell(Math.max(1, Math.round(seconds / size)), unit)
}
