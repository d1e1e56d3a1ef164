import type { StakeTransaction } from '@dct/api-contract/earnings'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { addressColumn, dateColumn, sortable, textColumn } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { recordQueries } from './admin-records.api.ts'
import { RECORD_COLUMNS, RECORD_WORDING, recordTexts } from './admin-records.texts.ts'
import '../../shared/ui/wide-table.css'

const DEFAULTS = { prefix: 'tx-', ...LIST_ORDERS.transactions } as const

const columns = (): Column<StakeTransaction>[] => [
  {
    id: 'is_active',
    header: RECORD_COLUMNS.status,
    isSortable: true,
    cell: (row) => (
      <span className="badge" data-tone={row.is_active ? 'good' : undefined}>
        {row.is_active ? RECORD_WORDING.active : RECORD_WORDING.inactive}
      </span>
    ),
  },
  sortable(addressColumn('tron_address', RECORD_COLUMNS.tronAddress, 'tron')),
  sortable(textColumn('earning_plan_code', RECORD_COLUMNS.earningCode)),
  {
    id: 'trx_hash',
    header: RECORD_COLUMNS.txHash,
    isSortable: true,
    cell: (row) => <ExplorerValue chain="tron" kind="transaction" value={row.trx_hash} />,
  },
  sortable(dateColumn('created_at', RECORD_COLUMNS.date)),
]

/** Every lock on chain, and those only announced. */
export function TransactionsPanel() {
  const text = useTexts(recordTexts)
  const list = useListParams(DEFAULTS)
  const result = useQuery(recordQueries.transactions(list.query))
  return (
    <section className="panel wide-table" aria-label={RECORD_WORDING.transactions}>
      <DataTable
        caption={RECORD_WORDING.transactions}
        columns={columns()}
        rowKey={(row) => row.trx_hash}
        list={list}
        result={result}
        emptyText={RECORD_WORDING.noTransactions}
        errorText={RECORD_WORDING.listFailed}
        searchLabel={text('search')}
        hasDateRange
        download={<ExportButton path="/admin/transactions" query={list.query} />}
      />
    </section>
  )
}
