import type { AdminClaimRecord } from '@dct/api-contract/claims'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { addressColumn, amountColumn, sortable, textColumn } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { PayoutHash } from '../../shared/ui/payout-hash.tsx'
import { recordQueries } from './admin-records.api.ts'
import { RECORD_COLUMNS, RECORD_WORDING, recordTexts } from './admin-records.texts.ts'
import { PlanFilter, planQueryOf } from './plan-filter.tsx'
import '../../shared/ui/wide-table.css'

const DEFAULTS = { ...LIST_ORDERS.claims, filters: { plan: '' } } as const

const columns = (): Column<AdminClaimRecord>[] => [
  {
    id: 'claim_date',
    header: RECORD_COLUMNS.date,
    isSortable: true,
    isMain: true,
    cell: (row) => (
      <>
        <DateTime value={row.claim_date} />
        <p className="small">
          <Link className="code" to={`/admin/cases/${row.code_claim}`}>
            {row.code_claim}
          </Link>
        </p>
      </>
    ),
  },
  { ...sortable(addressColumn('tron_address', RECORD_COLUMNS.tronAddress, 'tron')), isMain: true },
  sortable(textColumn('plan_code', RECORD_COLUMNS.planCode)),
  { ...sortable(amountColumn('claimed_amount', RECORD_COLUMNS.amount, 'DCT')), isMain: true },
  sortable(textColumn('claim_type', RECORD_COLUMNS.claimType)),
  {
    id: 'is_paid',
    header: RECORD_COLUMNS.paid,
    isSortable: true,
    isMain: true,
    cell: (row) => (
      <span className="badge" data-tone={row.is_paid ? 'good' : 'warn'}>
        {row.is_paid ? RECORD_WORDING.yes : RECORD_WORDING.no}
      </span>
    ),
  },
  sortable(amountColumn('unpaid_fee_usdt', RECORD_COLUMNS.unpaidFeeUsdt)),
  {
    id: 'tx_hash_usdt',
    header: RECORD_COLUMNS.txHashUsdt,
    cell: (row) =>
      row.tx_hash_usdt ? (
        <ExplorerValue chain="bsc" kind="transaction" value={row.tx_hash_usdt} />
      ) : (
        <NotPaid claim={row} />
      ),
  },
  {
    id: 'tx_hash_reward',
    header: RECORD_COLUMNS.txHashReward,
    cell: (row) =>
      row.is_paid ? <PayoutHash hash={row.tx_hash_reward} /> : <NotPaid claim={row} />,
  },
]

/** That a fee is open, or what became of the amount of a claim that ended unpaid. */
function NotPaid({ claim: { state, lapsed_amount: amount } }: { claim: AdminClaimRecord }) {
  const text = useTexts(recordTexts)
  const ended = { cancelled: text('cancelled'), lapsed: text('lapsed', { amount }) }
  const shown = state === 'cancelled' || state === 'lapsed' ? ended[state] : text('notPaid')
  return <span className="soft">{shown}</span>
}

/** All users' claims. */
export function ClaimHistoryPanel() {
  const text = useTexts(recordTexts)
  const list = useListParams(DEFAULTS)
  const result = useQuery(recordQueries.claims(planQueryOf(list)))
  return (
    <section className="panel wide-table wide-table--folds" aria-label={RECORD_WORDING.claims}>
      <DataTable
        caption={RECORD_WORDING.claims}
        columns={columns()}
        rowKey={(row) => row.code_claim}
        list={list}
        result={result}
        emptyText={RECORD_WORDING.noHistory}
        errorText={RECORD_WORDING.historyFailed}
        searchLabel={text('search')}
        hasDateRange
        download={<ExportButton path="/admin/claim-history" query={planQueryOf(list)} />}
        filters={<PlanFilter list={list} />}
      />
    </section>
  )
}
