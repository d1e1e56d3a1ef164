import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { StaleNotice } from '../../shared/ui/stale-notice.tsx'
import { healthQueries } from './admin-health.api.ts'
import { healthTexts } from './admin-health.texts.ts'

/** The alarms that are currently raised. */
export function AlarmsSection() {
  const text = useTexts(healthTexts)
  const alarms = useQuery(healthQueries.alarms)
  return (
    <section className="panel" aria-label={text('alarms')}>
      <h2>{text('alarms')}</h2>
      <StaleNotice query={alarms} />
      {alarms.isPending && <span className="skeleton skeleton--line" aria-busy="true" />}
      {alarms.isLoadingError && (
        <LoadFailed onRetry={() => void alarms.refetch()}>{text('alarmsFailed')}</LoadFailed>
      )}
      {alarms.data?.length === 0 && <Notice>{text('noAlarms')}</Notice>}
      {alarms.data?.map(({ kind, subject, message, raised_at }) => (
        <Notice key={`${kind} ${subject}`} tone="bad">
          <p>
            <span className="code">{kind}</span> <span className="code">{subject}</span>{' '}
            <DateTime value={raised_at} />
          </p>
          <p>{message}</p>
        </Notice>
      ))}
    </section>
  )
}
