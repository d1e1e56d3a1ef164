import type { AdminLogEntry } from '@dct/api-contract/admin'
import { ADMIN_ACTIONS } from '@dct/api-contract/codes'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { codeWords } from '../../shared/i18n/code-words.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { type ListControls, useListParams } from '../../shared/lib/use-list-params.ts'
import { CodeName } from '../../shared/ui/code-name.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { SearchBox } from '../../shared/ui/search-box.tsx'
import { logQueries } from './admin-log.api.ts'
import { logTexts } from './admin-log.texts.ts'
import { ChangedValues } from './changed-values.tsx'
import '../../shared/ui/wide-table.css'

const DEFAULTS = {
  prefix: 'log-',
  ...LIST_ORDERS.adminLog,
  filters: { action: '', admin: '' },
} as const

/** Subjects are of many kinds; users are identified by their Tron address. */
const TRON_ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/** The admin log: who did what, when and from where, with old and new values. */
export function LogPanel() {
  const text = useTexts(logTexts)
  const list = useListParams(DEFAULTS)
  const { action = '', admin = '' } = list.state.filters
  const query = {
    ...list.query,
    ...(action !== '' && { action }),
    ...(admin !== '' && { tron_address: admin }),
  }
  const log = useQuery(logQueries.list(query))
  const data = log.data && { ...log.data, rows: log.data.entries }
  return (
    <section className="panel wide-table" aria-label={text('title')}>
      <h2>{text('title')}</h2>
      <p className="soft">{text('lead')}</p>
      <DataTable
        caption={text('title')}
        columns={columnsOf(text)}
        rowKey={({ id }) => id}
        list={list}
        result={{ ...log, data }}
        emptyText={text('empty')}
        errorText={text('listFailed')}
        searchLabel={text('search')}
        hasDateRange
        download={<ExportButton path="/admin/log" query={query} />}
        filters={<LogFilters list={list} actions={log.data?.actions ?? []} />}
      />
    </section>
  )
}

function LogFilters({ list, actions }: { list: ListControls; actions: readonly string[] }) {
  const text = useTexts(logTexts)
  const { action = '', admin = '' } = list.state.filters
  // A shared URL may select an action before the list of actions is loaded.
  const offered = action === '' || actions.includes(action) ? actions : [action, ...actions]
  return (
    <>
      <SearchBox
        label={text('admin')}
        placeholder={undefined}
        value={admin}
        onSearch={(address) => list.setFilter('admin', address)}
        isByButton
      />
      <label className="field">
        <span className="field__label">{text('action')}</span>
        <select
          className="input"
          value={action}
          onChange={(event) => list.setFilter('action', event.target.value)}
        >
          <option value="">{text('allActions')}</option>
          {offered.map((name) => (
            <option key={name} value={name}>
              {codeWords(ADMIN_ACTIONS, name) ?? name}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

function columnsOf(text: Translate<typeof logTexts.english>): Column<AdminLogEntry>[] {
  return [
    {
      id: 'at',
      header: text('at'),
      isSortable: true,
      cell: (entry) => <DateTime value={entry.at} />,
    },
    {
      id: 'who',
      header: text('who'),
      cell: (entry) => (
        <ExplorerValue chain="tron" kind="address" value={entry.admin_tron_address} />
      ),
    },
    {
      id: 'action',
      header: text('what'),
      cell: (entry) => <CodeName codes={ADMIN_ACTIONS} code={entry.action} />,
    },
    {
      id: 'subject',
      header: text('subject'),
      cell: ({ subject }) =>
        TRON_ADDRESS.test(subject) ? (
          <ExplorerValue chain="tron" kind="address" value={subject} />
        ) : (
          <span className="code">{subject}</span>
        ),
    },
    { id: 'change', header: text('change'), cell: (entry) => <ChangedValues entry={entry} /> },
    {
      id: 'ip',
      header: text('from'),
      cell: (entry) => <span className="code">{entry.ip ?? text('unknownPlace')}</span>,
    },
  ]
}
