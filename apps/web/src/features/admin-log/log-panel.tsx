import type { AdminLogEntry } from '@dct/api-contract/admin'
import { ADMIN_ACTIONS } from '@dct/api-contract/codes'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { codeWords } from '../../shared/i18n/code-words.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { type ListControls, useListParams } from '../../shared/lib/use-list-params.ts'
import { CodeName } from '../../shared/ui/code-name.tsx'
import { dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { logQuery } from './admin-log.api.ts'
import { logTexts } from './admin-log.texts.ts'
import { ChangedValues } from './changed-values.tsx'
import '../../shared/ui/wide-table.css'

const DEFAULTS = {
  prefix: 'log-',
  ...LIST_ORDERS.adminLog,
  filters: { action: '' },
} as const

/** Subjects are of many kinds; users are identified by their Tron address. */
const TRON_ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/** The admin log: who did what, when and from where, with old and new values. */
export function LogPanel() {
  const text = useTexts(logTexts)
  const list = useListParams(DEFAULTS)
  const { action = '' } = list.state.filters
  const query = { ...list.query, ...(action !== '' && { action }) }
  const log = useQuery(logQuery(query))
  return (
    <Panel title={text('title')} className="wide-table">
      <p className="soft">{text('lead')}</p>
      <DataTable
        caption={text('title')}
        columns={columnsOf(text)}
        rowKey={({ id }) => id}
        list={list}
        result={log}
        emptyText={text('empty')}
        errorText={text('listFailed')}
        searchLabel={text('search')}
        hasDateRange
        download={<ExportButton path="/admin/log" query={query} />}
        filters={<LogFilters list={list} actions={log.data?.actions ?? []} />}
      />
    </Panel>
  )
}

function LogFilters({ list, actions }: { list: ListControls; actions: readonly string[] }) {
  const text = useTexts(logTexts)
  const { action = '' } = list.state.filters
  // A shared URL may select an action before the list of actions is loaded.
  const offered = action === '' || actions.includes(action) ? actions : [action, ...actions]
  return (
    <SelectField
      label={text('action')}
      value={action}
      onChoose={(chosen) => list.setFilter('action', chosen)}
    >
      <option value="">{text('allActions')}</option>
      {offered.map((name) => (
        <option key={name} value={name}>
          {codeWords(ADMIN_ACTIONS, name) ?? name}
        </option>
      ))}
    </SelectField>
  )
}

function columnsOf(text: Translate<typeof logTexts.english>): Column<AdminLogEntry>[] {
  return [
    sortable(dateColumn('at', text('at'))),
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
