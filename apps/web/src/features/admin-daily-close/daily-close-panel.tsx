import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { DailyCloseReply, DailyClosesReply } from '@dct/api-contract/reports'
import { addDays, type BusinessDay, isBusinessDay } from '@dct/rules/business-day'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { errorText } from '../../shared/api/api-error.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate, shownDate } from '../../shared/lib/date.ts'
import { saveBlob } from '../../shared/lib/save-blob.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useCleanAddress } from '../../shared/lib/use-clean-address.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { addressColumn } from '../../shared/ui/columns.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateField } from '../../shared/ui/date-field.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { closeFile, closeQueries, useCloseDay } from './daily-close.api.ts'
import { closeTexts } from './daily-close.texts.ts'
import { DayTables } from './day-tables.tsx'
import '../../shared/ui/wide-table.css'
import './daily-close.css'

const DAY_PARAM = 'day'

/** Reconciles one day on the chains with the books, and lists the closed days. */
export function DailyClosePanel() {
  const text = useTexts(closeTexts)
  const today = usePublicConfig()?.business_date
  const [params, setParams] = useSearchParams()
  const asked = params.get(DAY_PARAM) ?? ''
  const chosen = isBusinessDay(asked) && (today === undefined || asked <= today) ? asked : undefined
  const day = chosen ?? (today && addDays(today as BusinessDay, -1))
  useCleanAddress((current) => {
    const next = new URLSearchParams(current)
    if (next.getAll(DAY_PARAM).join() !== (chosen ?? '')) next.delete(DAY_PARAM)
    return next
  })
  const choose = (next: string, options?: { replace: boolean }) =>
    setParams(
      (current) => {
        const changed = new URLSearchParams(current)
        if (next === '') changed.delete(DAY_PARAM)
        else changed.set(DAY_PARAM, next)
        return changed
      },
      { ...options, preventScrollReset: true },
    )
  return (
    <div className="stack">
      <p className="soft">{text('hint')}</p>
      <DateField
        className="daily-close__day"
        label={text('day')}
        value={day ?? ''}
        max={today}
        onChoose={(typed) => choose(typed, { replace: true })}
      />
      {day !== undefined && <DayStatement day={day} />}
      <ClosedDays onOpen={choose} />
    </div>
  )
}

function DayStatement({ day }: { day: string }) {
  const text = useTexts(closeTexts)
  const query = useQuery(closeQueries.day(day))
  if (query.data === undefined) {
    return <NotLoaded query={query}>{errorText(query.error, text('failed'))}</NotLoaded>
  }
  const { statement, closed } = query.data
  return (
    <>
      <Callout tone={statement.differences === 0 ? 'info' : 'bad'} role="status">
        {/* The field above writes the day as the browser does. */}
        <p>
          <strong>{shownDate(day)}</strong>
        </p>
        <p>
          {statement.differences === 0
            ? text('agrees')
            : text('differs', { count: statement.differences })}
        </p>
      </Callout>
      <DayTables statement={statement} />
      {closed === null ? (
        <CloseButton day={day} canClose={query.data.can_close} />
      ) : (
        <ClosedFile day={day} closed={closed} />
      )}
    </>
  )
}

function CloseButton({ day, canClose }: { day: string; canClose: boolean }) {
  const text = useTexts(closeTexts)
  const close = useCloseDay()
  return (
    <div className="stack">
      {!canClose && <p className="soft">{text('notClosable')}</p>}
      <p>
        <button
          type="button"
          className="button"
          disabled={!canClose || close.isPending}
          onClick={() =>
            close.mutate(day, {
              onSuccess: () => toast.success(text('closedNow')),
              onError: (error) => toast.error(errorText(error, text('closeFailed'))),
            })
          }
        >
          {text('close')}
        </button>
      </p>
    </div>
  )
}

type ClosedFileProps = { day: string; closed: NonNullable<DailyCloseReply['closed']> }

function ClosedFile({ day, closed }: ClosedFileProps) {
  const text = useTexts(closeTexts)
  const file = useAction({
    mutationFn: () => closeFile(day),
    onSuccess: saveBlob,
    onError: (error) => toast.error(errorText(error, text('fileFailed'))),
  })
  return (
    <section className="panel" aria-label={text('file')}>
      <p>{text('closedAt', { time: formatDate(closed.at) ?? '', admin: shorten(closed.by) })}</p>
      <dl className="facts">
        <Fact term={text('hash')} className="code daily-close__hash">
          {closed.sha256} <CopyButton value={closed.sha256} label={text('copyHash')} iconOnly />
        </Fact>
      </dl>
      <p>
        <button
          type="button"
          className="button button--quiet"
          disabled={file.isPending}
          onClick={() => file.mutate()}
        >
          {text('file')}
        </button>
      </p>
    </section>
  )
}

const DEFAULTS = { prefix: 'close-', ...LIST_ORDERS.dailyCloses } as const
type Close = DailyClosesReply['closes'][number]

function ClosedDays({ onOpen }: { onOpen(day: string): void }) {
  const text = useTexts(closeTexts)
  const list = useListParams(DEFAULTS)
  const result = useQuery(closeQueries.list(list.query))
  const columns: Column<Close>[] = [
    {
      id: 'day',
      header: text('day'),
      isSortable: true,
      cell: (row) => (
        <button type="button" className="text-button" onClick={() => onOpen(row.day)}>
          {text('open')} <DateTime value={row.day} />
        </button>
      ),
    },
    {
      id: 'differences',
      header: text('differences'),
      align: 'end',
      cell: (row) => row.differences,
    },
    {
      id: 'sha256',
      header: text('hash'),
      cell: (row) => (
        <span className="code" title={row.sha256}>
          {shorten(row.sha256)}
        </span>
      ),
    },
    addressColumn('closed_by', text('admin'), 'tron'),
  ]
  return (
    <Panel title={text('list')}>
      <DataTable
        caption={text('list')}
        columns={columns}
        rowKey={(row) => row.day}
        list={list}
        result={result}
        emptyText={text('noDays')}
        isOwnEmptyText
        isQuiet
        hasDateRange
      />
    </Panel>
  )
}
