import { useRelativeTime } from '../lib/use-relative-time.ts'
import { DateTime } from './date-time.tsx'

/** An instant as a date and as the time left until then. */
export function TimeLeft({ value }: { value: string }) {
  const left = useRelativeTime(new Date(value))
  return (
    <>
      <DateTime value={value} /> <span className="soft small">({left})</span>
    </>
  )
}
