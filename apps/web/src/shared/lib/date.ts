const LOCALE = 'id-ID'
const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/

const mediumDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const mediumInstant = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })

/**
 * Dates as the product shows them, in the Indonesian locale: a business day as medium date, an
 * instant as medium date plus short time in the reader's own time zone. Not a date: undefined.
 */
export function formatDate(value: string): string | undefined {
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime())) return undefined
  return (DAY_ONLY.test(value) ? mediumDay : mediumInstant).format(instant)
}
