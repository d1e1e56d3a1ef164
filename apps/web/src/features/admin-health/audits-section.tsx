import type { AuditOutcome, AuditRun } from '@dct/api-contract/audit'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { serviceSentence } from '../../shared/i18n/service-sentence.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { healthQueries, useAskAudit } from './admin-health.api.ts'
import { healthTexts } from './admin-health.texts.ts'

const DEFAULTS = {
  prefix: 'audit-',
  ...LIST_ORDERS.audits,
  filters: { kind: '' },
  choices: { kind: ['full', 'quick'] },
} as const

/** The audits' results, check by check, and a button to request another audit. */
export function AuditsSection() {
  const text = useTexts(healthTexts)
  const list = useListParams(DEFAULTS)
  const { kind = '' } = list.state.filters
  const result = useQuery(
    healthQueries.auditRuns({
      ...list.query,
      ...(kind === 'full' && { is_full: true }),
      ...(kind === 'quick' && { is_full: false }),
    }),
  )
  const [chosen, setChosen] = useState<AuditRun>()
  return (
    <Panel title={text('audits')}>
      <p className="soft">{text('auditsLead')}</p>
      <AskAudit />
      <DataTable
        caption={text('audits')}
        columns={columnsOf(text, setChosen)}
        rowKey={({ id }) => id}
        list={list}
        result={result}
        emptyText={text('noAudits')}
        errorText={text('auditsFailed')}
        filters={
          <SelectField
            label={text('kind')}
            value={kind}
            onChoose={(chosen) => list.setFilter('kind', chosen)}
          >
            <option value="">{text('allKinds')}</option>
            <option value="full">{text('full')}</option>
            <option value="quick">{text('quick')}</option>
          </SelectField>
        }
      />
      {chosen !== undefined && <Checks run={chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  )
}

function AskAudit() {
  const text = useTexts(healthTexts)
  const ask = useAskAudit()
  const askFor = (isFull: boolean) =>
    ask.mutate(isFull, {
      onSuccess: ({ message }) => toast.success(message),
      onError: (error) => toast.error(errorText(error, text('failed'))),
    })
  return (
    <div className="row">
      <QuietButton disabled={ask.isPending} onClick={() => askFor(false)}>
        {text('runQuick')}
      </QuietButton>
      <QuietButton disabled={ask.isPending} onClick={() => askFor(true)}>
        {text('runFull')}
      </QuietButton>
    </div>
  )
}

/** An audit that could not compare everything has not passed. */
function Result({ run }: { run: AuditRun }) {
  const text = useTexts(healthTexts)
  if (run.differences > 0) return badge('bad', text('different', { count: run.differences }))
  const isComplete = run.outcomes.every(({ skipped }) => skipped === '')
  return isComplete ? badge('good', text('passed')) : badge('warn', text('incomplete'))
}

function badge(tone: 'good' | 'warn' | 'bad', words: string) {
  return (
    <span className="badge" data-tone={tone}>
      {words}
    </span>
  )
}

type Text = Translate<typeof healthTexts.english>

function columnsOf(text: Text, choose: (run: AuditRun) => void): Column<AuditRun>[] {
  return [
    sortable(dateColumn('started_at', text('startedAt'))),
    { id: 'kind', header: text('kind'), cell: (run) => text(run.is_full ? 'full' : 'quick') },
    { id: 'compared', header: text('compared'), align: 'end', cell: (run) => run.compared },
    {
      id: 'result',
      header: text('result'),
      cell: (run) => <Result run={run} />,
    },
    {
      id: 'checks',
      header: text('checks'),
      cell: (run) => (
        <QuietButton onClick={() => choose(run)}>
          {text('checks')} ({run.outcomes.length})
        </QuietButton>
      ),
    },
  ]
}

function Checks({ run, onClose }: { run: AuditRun; onClose(): void }) {
  const text = useTexts(healthTexts)
  return (
    <Dialog title={text('checksOf', { time: formatDate(run.started_at) ?? '' })} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need focus to scroll the dialog */}
      <ul className="stack stack--tight" tabIndex={0}>
        {run.outcomes.map((outcome) => (
          <li key={outcome.name}>
            <Check outcome={outcome} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Check({ outcome }: { outcome: AuditOutcome }) {
  const text = useTexts(healthTexts)
  const { name, skipped, compared, differences } = outcome
  return (
    <>
      <p>{serviceSentence('audit', name)}</p>
      {skipped === '' ? (
        <p className="soft small">
          {text('compared')}: {compared}, {text('differences')}: {differences.length}
        </p>
      ) : (
        <p className="soft small">
          {text('skipped', { reason: serviceSentence('audit', skipped) })}
        </p>
      )}
      {differences.map((difference) => (
        <p key={difference.subject} className="field__error">
          {text('expectedFound', difference)}
        </p>
      ))}
    </>
  )
}
