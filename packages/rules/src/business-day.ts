/**
 * The product's business day: a calendar day in UTC+7, which has no daylight saving time. Nothing here reads a clock or
 * depends on the machine's time zone.
 */
declare const day: unique symbol
/** A calendar day in UTC+7, as `YYYY-MM-DD`. */
export type BusinessDay = string & { readonly [day]: true }

/** The days that people may enter: nothing happened before the first, and JavaScript and PostgreSQL agree on all. */
export const FIRST_DAY = '1900-01-01' as BusinessDay
export const LAST_DAY = '9998-12-31' as BusinessDay

export const DAY_MS = 86_400_000
/** Hours that business time is ahead of UTC. */
export const UTC_OFFSET_HOURS = 7
const UTC_OFFSET_MS = UTC_OFFSET_HOURS * 60 * 60 * 1000
/** The zone as `Intl` knows it, in which the sign is the opposite, and as people know it. */
export const BUSINESS_ZONE = `Etc/GMT-${UTC_OFFSET_HOURS}`
export const BUSINESS_ZONE_NAME = `UTC+${UTC_OFFSET_HOURS}`

/** The UTC+7 calendar day of an instant. */
export function businessDayOf(instant: Date): BusinessDay {
  return new Date(instant.getTime() + UTC_OFFSET_MS).toISOString().slice(0, 10) as BusinessDay
}

/** The instant in business time, to the second: `2026-01-31 07:00:00`. */
export function businessTimeOf(instant: Date): string {
  const shifted = new Date(instant.getTime() + UTC_OFFSET_MS)
  return shifted.toISOString().slice(0, 19).replace('T', ' ')
}

/** The instant of a business time without zone, such as `2026-01-31T07:00`. @throws RangeError if it is none */
export function parseBusinessTime(text: string): Date {
  const [, day = '', time = ''] = /^(.{10})[T ](\d{2}:\d{2}(?::\d{2})?)$/.exec(text) ?? []
  const passedMs = Date.parse(`1970-01-01T${time}Z`)
  if (Number.isNaN(passedMs)) throw new RangeError(`Not a time: ${text}`)
  return new Date(startOfBusinessDay(parseBusinessDay(day)).getTime() + passedMs)
}

/** The instant of 00:00 in UTC+7 on that day. */
export function startOfBusinessDay(businessDay: BusinessDay): Date {
  return new Date(utcMidnight(businessDay) - UTC_OFFSET_MS)
}

export function addDays(businessDay: BusinessDay, days: number): BusinessDay {
  return new Date(utcMidnight(businessDay) + days * DAY_MS)
    .toISOString()
    .slice(0, 10) as BusinessDay
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: BusinessDay, to: BusinessDay): number {
  return (utcMidnight(to) - utcMidnight(from)) / DAY_MS
}

/** The day in words: "April 5, 2025" in English. */
export function businessDayInWords(businessDay: BusinessDay, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(utcMidnight(businessDay))
}

/** @throws RangeError when the text is not a calendar day, or outside of `FIRST_DAY` to `LAST_DAY`. */
export function parseBusinessDay(text: string): BusinessDay {
  if (!isBusinessDay(text)) throw new RangeError(`Not a calendar day: ${text}`)
  return text
}

export function isBusinessDay(text: string): text is BusinessDay {
  if (text < FIRST_DAY || text > LAST_DAY) return false
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}

function utcMidnight(businessDay: BusinessDay): number {
  return Date.parse(`${businessDay}T00:00:00.000Z`)
}
