import { LANGUAGES } from '@dct/api-contract/languages'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { AdminConsent } from '@dct/api-contract/terms'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
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
  const { version = '' } = list.state.filters
  const query = { ...list.query, ...(version !== '' && { version }) }
  const result = useQuery(consentsQuery(query))
  const columns: Column<AdminConsent>[] = [
    {
      id: 'tron_address',
      header: text('holder'),
      cell: (row) => <ExplorerValue chain="tron" kind="address" value={row.tron_address} />,
    },
    { id: 'version', header: text('version'), cell: (row) => row.version },
    { id: 'language', header: text('language'), cell: (row) => LANGUAGES[row.language] },
    {
      id: 'accepted_at',
      header: text('acceptedAt'),
      isSortable: true,
      cell: (row) => <DateTime value={row.accepted_at} />,
    },
  ]
  return (
    <section className="panel wide-table" aria-label={text('consents')}>
      <h2>{text('consents')}</h2>
      <DataTable
        caption={text('consents')}
        columns={columns}
        rowKey={({ id }) => id}
        list={list}
        result={{ ...result, data: result.data && { ...result.data, rows: result.data.consents } }}
        emptyText={text('noConsents')}
        errorText={text('consentsFailed')}
        searchLabel={text('searchConsents')}
        download={<ExportButton path="/admin/terms/consents" query={query} />}
        filters={
          <label className="field">
            <span className="field__label">{text('version')}</span>
            <select
              className="input"
              value={version}
              onChange={(event) => list.setFilter('version', event.target.value)}
            >
              <option value="">{text('allVersions')}</option>
              {versions.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        }
      />
    </section>
  )
}
