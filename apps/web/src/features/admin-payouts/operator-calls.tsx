import type { OperatorCall } from '@dct/api-contract/payouts'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { payoutQueries, usePayoutAct } from './admin-payouts.api.ts'
import { payoutTexts } from './admin-payouts.texts.ts'

/** The operator's unfinished calls, those waiting for an admin first. Renders nothing if there are none. */
export function OperatorCalls() {
  const text = useTexts(payoutTexts)
  const calls = useQuery(payoutQueries.calls)
  if (calls.data === undefined) {
    return calls.isError ? (
      <LoadFailed onRetry={() => void calls.refetch()}>{text('callsFailed')}</LoadFailed>
    ) : null
  }
  const { operator_calls: open } = calls.data
  if (open.length === 0) return null
  return (
    <Panel title={text('calls')}>
      <p className="soft">{text('callsHint')}</p>
      {open.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </Panel>
  )
}

function Call({ call }: { call: OperatorCall }) {
  const text = useTexts(payoutTexts)
  const name = text(call.kind, { subject: call.subject.replace(/^\w+:/, '') })
  const why = call.wait_text
  const isUnsigned = call.state === 'waiting'
  return (
    <article className="row" aria-label={name}>
      <DateTime value={call.created_at} />
      <span>{name}</span>
      <span className="badge">{text(call.state)}</span>
      {why !== null && <span>{why}</span>}
      {isUnsigned && why !== null && <CallAct call={call} path="/admin/operator-calls/retry" />}
      {isUnsigned && call.kind !== 'release' && (
        <CallAct call={call} path="/admin/operator-calls/give-up" />
      )}
    </article>
  )
}

type CallPath = '/admin/operator-calls/retry' | '/admin/operator-calls/give-up'

function CallAct({ call, path }: { call: OperatorCall; path: CallPath }) {
  const text = useTexts(payoutTexts)
  const act = usePayoutAct(path)
  const press = () =>
    act.mutate(
      { id: call.id },
      {
        onSuccess: ({ message }) => toast.success(message),
        onError: (error) => toast.error(errorText(error, text('failed'))),
      },
    )
  return (
    <QuietButton disabled={act.isPending} onClick={press}>
      {text(path.endsWith('retry') ? 'retry' : 'giveUp')}
    </QuietButton>
  )
}
