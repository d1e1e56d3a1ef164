import { UTC_OFFSET_HOURS } from '../clock.ts'

/** Minutes of the day in UTC+7, like business days. `from` after `to` spans midnight. */
export type QuietHours = { from: number; to: number }

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
const UTC_OFFSET_MINUTES = UTC_OFFSET_HOURS * 60

/**
 * Reads `22:00-07:00`.
 * @throws RangeError for anything else, and when both times are the same
 */
export function parseQuietHours(text: string): QuietHours {
  const match = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (match === null) throw new RangeError('quiet hours must look like 22:00-07:00')
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = match.slice(1).map(Number)
  const hours = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute }
  if (hours.from === hours.to)
    throw new RangeError('quiet hours must not start and end at the same time')
  return hours
}

/** The end of the quiet hours that an instant is in; undefined outside quiet hours. */
export function quietUntil({ from, to }: QuietHours, now: Date): Date | undefined {
  const minutes = Math.floor(now.getTime() / MINUTE_MS) + UTC_OFFSET_MINUTES
  const ofDay = minutes % DAY_MINUTES
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES
  const passed = (ofDay - from + DAY_MINUTES) % DAY_MINUTES
  if (passed >= length) return undefined
  return new Date((minutes + length - passed - UTC_OFFSET_MINUTES) * MINUTE_MS)
}
