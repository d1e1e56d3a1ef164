import { LANGUAGES } from '@dct/api-contract/languages'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { AdminConsent } from '@dct/api-contract/terms'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { addressColumn, dateColumn, sortable, textColumn } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { consentsQuery } from './admin-terms.api.ts'
import { adminTermsTexts } from './admin-terms.texts.ts'

const DEFAULTS = {
  prefix: 'consents-',
  ...LIST_ORDERS.termsConsents,
  filters: { version: '' },
} as const

/** Which holders have accepted which of these versions, and when. */
export function ConsentsTable({ versions }: { versions: readonly string[] }) {
  const text = useTexts(adminTermsTexts)
  const list = useListParams(DEFAULTS)
  const version = versions.find((one) => one === list.state.filters.version) ?? ''
  const query = { ...list.query, ...(version !== '' && { version }) }
  const result = useQuery(consentsQuery(query))
  const columns: Column<AdminConsent>[] = [
    addressColumn('tron_address', text('holder'), 'tron'),
    textColumn('version', text('version')),
    { id: 'language', header: text('language'), cell: (row) => LANGUAGES[row.language] },
    sortable(dateColumn('accepted_at', text('acceptedAt'))),
  ]
  return (
    <Panel title={text('consents')} className="wide-table">
      <DataTable
        caption={text('consents')}
        columns={columns}
        rowKey={({ id }) => id}
        list={list}
        result={result}
        emptyText={text('noConsents')}
        errorText={text('consentsFailed')}
        searchLabel={text('searchConsents')}
        download={<ExportButton path="/admin/terms/consents" query={query} />}
        filters={
          <SelectField
            label={text('version')}
            value={version}
            onChoose={(chosen) => list.setFilter('version', chosen)}
          >
            <option value="">{text('allVersions')}</option>
            {versions.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        }
      />
    </Panel>
  )
}
