import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lastDayBefore, shownDate } from '../../shared/lib/date.ts'
import { earningsTexts } from './my-earnings.texts.ts'
import { whatNext } from './what-next.ts'

/** What happens next to an earning, in one sentence; nothing where its strip of days or its fee shows that. */
export function NextLine({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const next = whatNext(earning, useBusinessNow())
  if (next === undefined) return null
  const day = next.until === undefined ? '' : shownDate(lastDayBefore(next.until))
  return <p className="small">{text(next.name, { day })}</p>
}
