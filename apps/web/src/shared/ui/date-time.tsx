import { exactDate, formatDate } from '../lib/date.ts'
import { UNKNOWN } from '../lib/unknown.ts'

/** A date in the Indonesian locale, in business time, and to the second in its tooltip. */
export function DateTime({ value }: { value: string | null | undefined }) {
  const shown = value == null ? undefined : formatDate(value)
  if (value == null || shown === undefined) return <span>{UNKNOWN}</span>
  return (
    <time translate="no" dateTime={value} title={exactDate(value)}>
      {shown}
    </time>
  )
}
