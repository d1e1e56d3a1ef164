import {
  addDays,
  BUSINESS_ZONE,
  BUSINESS_ZONE_NAME,
  type BusinessDay,
  businessDayOf,
  businessTimeOf,
} from '@dct/rules/business-day'

const LOCALE = 'id-ID'
const BUSINESS_OFFSET = '+07:00'
const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/

const mediumDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const mediumInstant = new Intl.DateTimeFormat(LOCALE, {
  ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: BUSINESS_ZONE },
})
const clockTime = new Intl.DateTimeFormat(LOCALE, {
  timeStyle: 'medium',
  timeZone: BUSINESS_ZONE,
})

/**
 * Formats dates in the Indonesian locale: a business day as a medium date, an instant as a medium date plus short time
 * in business time, whatever the device's zone, so that every day that is shown is the one that filters and files use.
 * @returns undefined for anything that is not a date
 */
export function formatDate(value: string): string | undefined {
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime())) return undefined
  return (DAY_ONLY.test(value) ? mediumDay : mediumInstant).format(instant)
}

/** Formats what an input of a day, or of a day and a business time, holds; undefined for a value that is not whole. */
export function formatTyped(value: string): string | undefined {
  return formatDate(DAY_ONLY.test(value) ? value : `${value}${BUSINESS_OFFSET}`)
}

/** The formatted date; anything that is not a date is returned unchanged. */
export function shownDate(value: string): string {
  return formatDate(value) ?? value
}

/** Only the business day of an instant, as a medium date; of a day, the same as `shownDate`. */
export function shownDay(value: string): string {
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime())) return value
  return shownDate(DAY_ONLY.test(value) ? value : businessDayOf(instant))
}

/**
 * The last whole business day before a deadline, which is an instant or a business day that begins then: whoever acts
 * on it is in time, so a deadline is named by this day, never by the midnight that follows.
 */
export function lastDayBefore(deadline: string): BusinessDay {
  return addDays(businessDayOf(new Date(instantOf(deadline))), -1)
}

/** A day begins at midnight in business time, which is the day before in UTC. */
function instantOf(value: string): string {
  return DAY_ONLY.test(value) ? `${value}T00:00:00${BUSINESS_OFFSET}` : value
}

/** The time of day of an instant, to the second, in business time with its zone. */
export function shownTime(instant: Date): string {
  return `${clockTime.format(instant)} ${BUSINESS_ZONE_NAME}`
}

/** The exact date for a tooltip: an instant to the second with its zone; a day unchanged. */
export function exactDate(value: string): string {
  if (DAY_ONLY.test(value) || Number.isNaN(Date.parse(value))) return value
  return `${businessTimeOf(new Date(value))} ${BUSINESS_ZONE_NAME}`
}
