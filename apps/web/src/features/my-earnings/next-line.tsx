import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { earningsTexts } from './my-earnings.texts.ts'
import { whatNext } from './what-next.ts'

/** What happens next to an earning, in one sentence. */
export function NextLine({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const { name, day = '', from = '', until = '' } = whatNext(earning, useBusinessNow())
  const days = { day: shownDate(day), from: shownDate(from), until: shownDate(until) }
  return (
    <p className="small">
      <strong>{text('next')}</strong> {text(name, days)}
    </p>
  )
}
