import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { earningsTexts } from './my-earnings.texts.ts'
import { whatNext } from './what-next.ts'

/** What happens next to an earning, in one sentence. */
export function NextLine({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const { name, day, from, until } = whatNext(earning, useBusinessNow())
  const days = { day: shownDay(day), from: shownDay(from), until: shownDay(until) }
  return (
    <p className="small">
      <strong>{text('next')}</strong> {text(name, days)}
    </p>
  )
}

function shownDay(day = ''): string {
  return formatDate(day) ?? day
}
