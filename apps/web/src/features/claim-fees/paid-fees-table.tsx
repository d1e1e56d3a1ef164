import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isInternalHash } from '../../shared/lib/internal-hash.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import type { ListControls } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { type Column, DataTable, type ListResult } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { PayoutHash } from '../../shared/ui/payout-hash.tsx'
import { WholeCodes } from '../../shared/ui/whole-codes.tsx'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { WhyFee } from './why-fee.tsx'

type PaidFeesTableProps = { list: ListControls; result: ListResult<PendingClaimFee> }

/** Paid fees and the state of their rewards' payouts. */
export function PaidFeesTable({ list, result }: PaidFeesTableProps) {
  const text = useTexts(feeTexts)
  const columns: Column<PendingClaimFee>[] = [
    {
      id: 'earning_plan_code',
      header: text('planCode'),
      isSortable: true,
      cell: (fee) => fee.earning_plan_code,
    },
    { id: 'claim_type', header: text('type'), isSortable: true, cell: (fee) => fee.claim_type },
    {
      id: 'code_claim',
      isSortable: true,
      header: text('code'),
      cell: (fee) => (
        <div>
          <span className="code">
            <WholeCodes>{fee.code_claim}</WholeCodes>
          </span>
          <WhyFee fee={fee} />
        </div>
      ),
    },
    {
      id: 'unpaid_fee',
      isSortable: true,
      header: text('feeDct'),
      align: 'end',
      cell: (fee) => <Amount value={fee.unpaid_fee} />,
    },
    {
      id: 'exact_fee_usdt',
      isSortable: true,
      header: text('feeUsdt'),
      align: 'end',
      cell: (fee) => <Amount value={fee.exact_fee_usdt} />,
    },
    {
      id: 'deadline',
      isSortable: true,
      header: text('deadline'),
      cell: (fee) => <DateTime value={fee.deadline} />,
    },
    {
      id: 'tx_hash_usdt',
      header: text('usdtHash'),
      cell: (fee) =>
        fee.tx_hash_usdt ? (
          <ExplorerValue chain="bsc" kind="transaction" value={fee.tx_hash_usdt} />
        ) : (
          UNKNOWN
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
