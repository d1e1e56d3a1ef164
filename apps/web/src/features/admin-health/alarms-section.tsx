import type { Alarm } from '@dct/api-contract/admin'
import { alarmRule } from '@dct/api-contract/alarms'
import { ALARM_KINDS } from '@dct/api-contract/codes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { CodeName } from '../../shared/ui/code-name.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { ReasonDialog } from '../../shared/ui/reason-dialog.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { healthQueries, useAcknowledgeAlarm } from './admin-health.api.ts'
import { healthTexts } from './admin-health.texts.ts'

/** The alarms that are currently raised. */
export function AlarmsSection() {
  const text = useTexts(healthTexts)
  const alarms = useQuery(healthQueries.alarms)
  const [chosen, setChosen] = useState<AcknowledgeProps['alarm']>()
  return (
    <Panel title={text('alarms')}>
      <StaleCallout query={alarms} />
      {alarms.isPending && <span className="skeleton skeleton--line" aria-busy="true" />}
      {alarms.isLoadingError && (
        <LoadFailed onRetry={() => void alarms.refetch()}>{text('alarmsFailed')}</LoadFailed>
      )}
      {alarms.data?.length === 0 && <Callout>{text('noAlarms')}</Callout>}
      {alarms.data?.map(({ kind, subject, message, raised_at, times }) => (
        <Callout key={`${kind} ${subject}`} tone="bad">
          <p>
            <CodeName codes={ALARM_KINDS} code={kind} /> <span className="code">{subject}</span>{' '}
            <DateTime value={raised_at} />
            {times > 1 && <> {text('foundTimes', { count: times })}</>}
          </p>
          <p>{message}</p>
          {alarmRule(kind).isOneTime === true && (
            <QuietButton onClick={() => setChosen({ kind, subject })}>
              {text('acknowledge')}
            </QuietButton>
          )}
        </Callout>
      ))}
      {chosen !== undefined && (
        <AcknowledgeAlarm alarm={chosen} onClose={() => setChosen(undefined)} />
      )}
    </Panel>
  )
}

type AcknowledgeProps = { alarm: Pick<Alarm, 'kind' | 'subject'>; onClose(): void }

/** Asks what was found or done, before an alarm is ended. */
function AcknowledgeAlarm({ alarm, onClose }: AcknowledgeProps) {
  const text = useTexts(healthTexts)
  const acknowledge = useAcknowledgeAlarm()
  return (
    <ReasonDialog
      title={text('acknowledgeTitle')}
      label={text('acknowledgeReason')}
      confirm={text('acknowledge')}
      problem={acknowledge.isError ? errorText(acknowledge.error, text('failed')) : undefined}
      isBusy={acknowledge.isPending}
      onClose={onClose}
      onConfirm={(reason) =>
        acknowledge.mutate({ ...alarm, reason }, { onSuccess: toastAndClose(onClose) })
      }
    >
      <p className="soft">{text('acknowledgeHint')}</p>
    </ReasonDialog>
  )
}
