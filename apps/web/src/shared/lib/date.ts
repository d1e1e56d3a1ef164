const LOCALE = 'id-ID'
const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/

const mediumDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const mediumInstant = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })

/**
 * Formats dates in the Indonesian locale: a business day as a medium date, an instant as a medium date plus short time
 * in the reader's own time zone.
 * @returns undefined for anything that is not a date
 */
export function formatDate(value: string): string | undefined {
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime())) return undefined
  return (DAY_ONLY.test(value) ? mediumDay : mediumInstant).format(instant)
}

/** The formatted date; anything that is not a date is returned unchanged. */
export function shownDate(value: string): string {
  return formatDate(value) ?? value
}
