import { exactDate, formatDate, shownDay } from '../lib/date.ts'
import { UNKNOWN } from '../lib/unknown.ts'

type DateTimeProps = {
  value: string | null | undefined
  /** Shows only the day of an instant; the tooltip has the time. */
  isDay?: boolean
}

/** A date in the Indonesian locale, in business time, and to the second in its tooltip. */
export function DateTime({ value, isDay = false }: DateTimeProps) {
  const shown = value == null ? undefined : formatDate(value)
  if (value == null || shown === undefined) return <span>{UNKNOWN}</span>
  return (
    <time translate="no" dateTime={value} title={exactDate(value)}>
      {isDay ? shownDay(value) : shown}
    </time>
  )
}
