import { formatDate } from '../lib/date.ts'
import { UNKNOWN } from '../lib/unknown.ts'

/** A date in the Indonesian locale, with the exact UTC instant in its tooltip. */
export function DateTime({ value }: { value: string | null | undefined }) {
  const shown = value == null ? undefined : formatDate(value)
  if (value == null || shown === undefined) return <span>{UNKNOWN}</span>
  return (
    <time translate="no" dateTime={value} title={value.includes('T') ? `${value} (UTC)` : value}>
      {shown}
    </time>
  )
}
