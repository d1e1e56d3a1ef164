import type { BonusType, ClaimPoolEntry } from '@dct/api-contract/referrals'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListControls } from '../../shared/lib/use-list-params.ts'
import { addressColumn, amountColumn, dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable, type ListResult } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { ClaimActions, type OnAct } from './claim-actions.tsx'
import { POOL_COLUMNS, POOL_WORDING, poolTexts } from './claim-pool.texts.ts'

type ClaimPoolTableProps = {
  bonusType: BonusType
  list: ListControls
  result: ListResult<ClaimPoolEntry>
  onAct: OnAct
}

/** The claims of one bonus type. Only the table shows a failed load; there is no toast. */
export function ClaimPoolTable({ bonusType, list, result, onAct }: ClaimPoolTableProps) {
  const text = useTexts(poolTexts)
  const columns: Column<ClaimPoolEntry>[] = [
    { ...sortable(dateColumn('created_at', POOL_COLUMNS.createdAt)), isMain: true },
    { ...sortable(addressColumn('tron_address', POOL_COLUMNS.tronAddress, 'tron')), isMain: true },
    { id: 'email', header: POOL_COLUMNS.email, cell: (entry) => entry.email ?? text('noEmail') },
    { ...amountColumn('total_accumulated', POOL_COLUMNS.totalAccumulated, 'USDT'), isMain: true },
    sortable(dateColumn('last_claim_date', POOL_COLUMNS.claimDate)),
    addressColumn('usdt_address', POOL_COLUMNS.usdtAddress, 'bsc'),
    {
      id: 'tx_hash_usdt',
      header: POOL_COLUMNS.txHashUsdt,
      cell: (entry) => <PaymentHash entry={entry} />,
    },
    {
      id: 'approve_at',
      header: POOL_COLUMNS.approveAt,
      cell: (entry) =>
        entry.approve_at ? <DateTime value={entry.approve_at} /> : text('notProcessed'),
    },
    {
      id: 'approve',
      header: POOL_COLUMNS.approve,
      isMain: true,
      cell: (entry) => <ClaimActions entry={entry} onAct={onAct} />,
    },
  ]
  return (
    <DataTable
      caption={POOL_WORDING.title}
      columns={columns}
      rowKey={(entry) => entry.id}
      list={list}
      result={result}
      emptyText={POOL_WORDING.empty}
      searchLabel={POOL_WORDING.searchPlaceholder}
      searchPlaceholder={POOL_WORDING.searchPlaceholder}
      hasDateRange
      download={
        <ExportButton
          path="/admin/referral-claim-pool"
          query={{ ...list.query, bonus_type: bonusType }}
        />
      }
    />
  )
}

function PaymentHash({ entry }: { entry: ClaimPoolEntry }) {
  const text = useTexts(poolTexts)
  if (entry.tx_hash_usdt) {
    return <ExplorerValue chain="bsc" kind="transaction" value={entry.tx_hash_usdt} />
  }
  if (!entry.approve_at) return <span className="soft">{text('notProcessed')}</span>
  return <span className="soft">{text('notSent')}</span>
}
