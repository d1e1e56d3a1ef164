/**
 * The product's business day: a calendar day in UTC+7, which has no daylight saving time. Nothing here reads a clock or
 * depends on the machine's time zone.
 */
declare const day: unique symbol
/** A calendar day in UTC+7, as `YYYY-MM-DD`. */
export type BusinessDay = string & { readonly [day]: true }

export const DAY_MS = 86_400_000
/** Hours that business time is ahead of UTC. */
export const UTC_OFFSET_HOURS = 7
const UTC_OFFSET_MS = UTC_OFFSET_HOURS * 60 * 60 * 1000

/** The UTC+7 calendar day of an instant. */
export function businessDayOf(instant: Date): BusinessDay {
  return new Date(instant.getTime() + UTC_OFFSET_MS).toISOString().slice(0, 10) as BusinessDay
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

/** @throws RangeError when the text is not a calendar day. */
export function parseBusinessDay(text: string): BusinessDay {
  if (!isBusinessDay(text)) throw new RangeError(`Not a calendar day: ${text}`)
  return text
}

export function isBusinessDay(text: string): text is BusinessDay {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}

/** The first day of the month of `businessDay`. */
export function firstOfMonth(businessDay: BusinessDay): BusinessDay {
  return `${businessDay.slice(0, 8)}01` as BusinessDay
}

/** The first day of the month after that of `businessDay`. */
export function firstOfNextMonth(businessDay: BusinessDay): BusinessDay {
  return firstOfMonth(addDays(firstOfMonth(businessDay), 31))
}

function utcMidnight(businessDay: BusinessDay): number {
  return Date.parse(`${businessDay}T00:00:00.000Z`)
}
