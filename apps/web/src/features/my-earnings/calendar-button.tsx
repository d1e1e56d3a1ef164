import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useGraceCycles } from '../../shared/config/grace-cycles.ts'
import { DEFAULT_BRAND, usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { saveBlob } from '../../shared/lib/save-blob.ts'
import { CalendarIcon } from '../../shared/ui/icons.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { calendarFile } from './calendar-file.ts'
import { claimCalendar } from './claim-calendar.ts'
import { earningsTexts } from './my-earnings.texts.ts'

/** Saves the earning's deadlines as a calendar file; renders nothing if there are none. */
export function CalendarButton({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const now = useBusinessNow()
  const brand = usePublicConfig()?.brand ?? DEFAULT_BRAND
  const entries = claimCalendar(earning, { now, grace: useGraceCycles() }, text)
  if (entries.length === 0) return null
  const save = () => {
    const { host, origin } = window.location
    const frame = { maker: brand, host, url: `${origin}/dashboard`, now }
    const content = new Blob([calendarFile(entries, frame)], {
      type: 'text/calendar;charset=utf-8',
    })
    saveBlob({ name: `${earning.earning_plan_code}-deadlines.ics`, content })
  }
  return (
    <QuietButton onClick={save}>
      <CalendarIcon />
      {text('calendarButton')}
    </QuietButton>
  )
}
