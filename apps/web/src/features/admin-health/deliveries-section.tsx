import { ALARM_KINDS, MESSAGE_TYPES } from '@dct/api-contract/codes'
import type { DeliveriesReply, Delivery } from '@dct/api-contract/deliveries'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { CodeName } from '../../shared/ui/code-name.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { deliveriesQuery, useSendTest } from './deliveries.api.ts'
import { deliveriesTexts } from './deliveries.texts.ts'

/** The latest outgoing messages with their outcomes, and a button that tests all channels. */
export function DeliveriesSection() {
  const text = useTexts(deliveriesTexts)
  const found = useQuery(deliveriesQuery)
  return (
    <Panel title={text('title')}>
      <p className="soft">{text('lead')}</p>
      <StaleCallout query={found} />
      <SendTest />
      {found.isPending && <span className="skeleton skeleton--line" aria-busy="true" />}
      {found.isLoadingError && (
        <LoadFailed onRetry={() => void found.refetch()}>{text('loadFailed')}</LoadFailed>
      )}
      {found.data !== undefined && found.data.test !== null && <LastTest test={found.data.test} />}
      {found.data !== undefined && (
        <Deliveries title={text('newest')} deliveries={found.data.deliveries} />
      )}
    </Panel>
  )
}

function SendTest() {
  const text = useTexts(deliveriesTexts)
  const send = useSendTest()
  const press = () =>
    send.mutate(undefined, {
      onSuccess: ({ message }) => toast.success(message),
      onError: (error) => toast.error(errorText(error, text('sendTestFailed'))),
    })
  return (
    <div className="row">
      <QuietButton disabled={send.isPending} onClick={press}>
        {text('sendTest')}
      </QuietButton>
    </div>
  )
}

type Test = NonNullable<DeliveriesReply['test']>

function LastTest({ test }: { test: Test }) {
  const text = useTexts(deliveriesTexts)
  if (test.deliveries.length > 0) {
    return <Deliveries title={text('test')} deliveries={test.deliveries} />
  }
  return (
    <Callout tone={test.is_dispatched ? 'warn' : 'info'} role="status">
      <p>
        {text('test')}: <DateTime value={test.asked_at} />
      </p>
      <p>{text(test.is_dispatched ? 'noChannels' : 'testWaits')}</p>
    </Callout>
  )
}

function Deliveries(list: { title: string; deliveries: readonly Delivery[] }) {
  const text = useTexts(deliveriesTexts)
  const heading = useId()
  return (
    <section className="stack stack--tight" aria-labelledby={heading}>
      <h3 id={heading}>{list.title}</h3>
      {list.deliveries.length === 0 && <p className="soft">{text('none')}</p>}
      <ul className="records stack stack--tight">
        {list.deliveries.map((delivery) => (
          <li key={delivery.id} className="delivery">
            <DeliveryFacts delivery={delivery} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const TONES = { sent: 'good', pending: undefined, retrying: 'warn', failed: 'bad' } as const

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const text = useTexts(deliveriesTexts)
  const { type, subject, severity, channel, receiver, attempts, last_error: error } = delivery
  const state = delivery.state === 'pending' && error !== null ? 'retrying' : delivery.state
  return (
    <>
      <p className="row">
        <span className="badge" data-tone={TONES[state]}>
          {text(state)}
        </span>
        <strong>{text(channel)}</strong> <span className="code">{receiver}</span>
      </p>
      <p>
        <CodeName codes={MESSAGE_TYPES} code={type} /> <AlarmSubject subject={subject} />{' '}
        {severity === 'critical' && (
          <span className="badge" data-tone="bad" data-kind="name">
            {text('critical')}
          </span>
        )}
      </p>
      <p className="soft small">
        {text('written')} <DateTime value={delivery.written_at} /> ·{' '}
        {text('attempts', { count: attempts })}
        {delivery.due_at !== null && (
          <>
            {' · '}
            {text('due')} <DateTime value={delivery.due_at} />
          </>
        )}
      </p>
      {error !== null && <p className="small code">{text('lastError', { error })}</p>}
    </>
  )
}

/** `kind: subject` of an alarm. */
function AlarmSubject({ subject }: { subject: string }) {
  const [kind = '', ...about] = subject.split(': ')
  if (about.length === 0) return <span className="code">{subject}</span>
  return (
    <>
      <CodeName codes={ALARM_KINDS} code={kind} /> <span className="code">{about.join(': ')}</span>
    </>
  )
}
