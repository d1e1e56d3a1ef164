import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isInternalHash } from '../../shared/lib/internal-hash.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import type { ListControls } from '../../shared/lib/use-list-params.ts'
import { amountColumn, dateColumn, sortable, textColumn } from '../../shared/ui/columns.tsx'
import { type Column, DataTable, type ListResult } from '../../shared/ui/data-table.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { PayoutHash } from '../../shared/ui/payout-hash.tsx'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { MismatchCallout } from './mismatch-callout.tsx'
import { WhyFee } from './why-fee.tsx'

type PaidFeesTableProps = { list: ListControls; result: ListResult<PendingClaimFee> }

/** Paid fees and the state of their rewards' payouts. */
export function PaidFeesTable({ list, result }: PaidFeesTableProps) {
  const text = useTexts(feeTexts)
  const columns: Column<PendingClaimFee>[] = [
    { ...sortable(textColumn('earning_plan_code', text('planCode'))), isMain: true },
    { ...sortable(textColumn('claim_type', text('type'))), isMain: true },
    {
      id: 'code_claim',
      isSortable: true,
      header: text('code'),
      cell: (fee) => (
        <div>
          <span className="code">{fee.code_claim}</span>
          <WhyFee fee={fee} />
        </div>
      ),
    },
    sortable(amountColumn('unpaid_fee', text('feeDct'))),
    { ...sortable(amountColumn('exact_fee_usdt', text('feeUsdt'), 'USDT')), isMain: true },
    sortable(dateColumn('deadline', text('deadline'))),
    {
      id: 'tx_hash_usdt',
      header: text('usdtHash'),
      // Money that waits for an admin stays in view on a phone too.
      isMain: result.data?.rows.some(({ mismatch }) => mismatch !== null) ?? false,
      cell: (fee) => (
        <>
          {fee.tx_hash_usdt ? (
            <ExplorerValue chain="bsc" kind="transaction" value={fee.tx_hash_usdt} />
          ) : (
            UNKNOWN
          )}
          <MismatchCallout fee={fee} />
        </>
      ),
    },
    {
      id: 'tx_hash_reward',
      header: text('rewardHash'),
      cell: (fee) => <PayoutHash hash={fee.tx_hash_reward} />,
    },
    {
      id: 'status',
      header: text('status'),
      isMain: true,
      cell: (fee) => <PayoutStatus hash={fee.tx_hash_reward} />,
    },
  ]
  return (
    <DataTable
      caption={text('paidFees')}
      columns={columns}
      rowKey={(fee) => fee.code_claim}
      list={list}
      result={result}
      emptyText={text('nothingPaid')}
      isOwnEmptyText
      isQuiet
    />
  )
}

function PayoutStatus({ hash }: { hash: string | null }) {
  const isSent = hash !== null && hash !== '' && !isInternalHash(hash)
  return (
    <span className="badge" data-tone={isSent ? 'good' : undefined}>
      {isSent ? FEE_WORDING.done : FEE_WORDING.waiting}
    </span>
  )
}
