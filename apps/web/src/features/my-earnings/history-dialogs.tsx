import type { ClaimRecord } from '@dct/api-contract/claims'
import type { RewardRecord } from '@dct/api-contract/earnings'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { useListState } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { amountColumn, dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { PayoutHash } from '../../shared/ui/payout-hash.tsx'
import { historyQueries } from './my-earnings.api.ts'
import { EARNINGS_WORDING, earningsTexts } from './my-earnings.texts.ts'
import { WhyClaim, WhyReward } from './why-amount.tsx'

type HistoryDialogProps = { earning: Earning; onClose(): void }

/** The rewards credited day by day. */
export function RewardHistoryDialog({ earning, onClose }: HistoryDialogProps) {
  const text = useTexts(earningsTexts)
  const list = useListState(LIST_ORDERS.rewards)
  const result = useQuery(
    historyQueries.rewards({ ...list.query, earning_plan_code: earning.earning_plan_code }),
  )
  const columns: Column<RewardRecord>[] = [
    sortable(dateColumn('reward_date', text('date'))),
    {
      id: 'earning_plan_code',
      header: text('planCode'),
      isSortable: true,
      cell: (row) => (
        <div>
          <span>
            {row.earning_plan_code}{' '}
            <span className="soft">{text('cycle', { cycle: row.cycle })}</span>
          </span>
          <WhyReward reward={row} earning={earning} />
        </div>
      ),
    },
    {
      id: 'reward_amount',
      header: text('amount'),
      isSortable: true,
      align: 'end',
      cell: (row) => <RewardAmount reward={row} />,
    },
  ]
  return (
    <Dialog title={EARNINGS_WORDING.distributionHistory} onClose={onClose} size="wide">
      <DataTable
        caption={EARNINGS_WORDING.distributionHistory}
        columns={columns}
        rowKey={(row) => String(row.cycle)}
        list={list}
        result={result}
        emptyText={text('noHistory')}
        isOwnEmptyText
        errorText={EARNINGS_WORDING.historyFailed}
        searchLabel={text('historySearch')}
      />
    </Dialog>
  )
}

/** A lapsed cycle paid nothing; shows what it would have paid. */
function RewardAmount({ reward }: { reward: RewardRecord }) {
  const text = useTexts(earningsTexts)
  return (
    <>
      <Amount value={reward.reward_amount} unit="DCT" />
      {isPositive(reward.lapsed_amount) && (
        <p className="soft">{text('lapsedCycle', { amount: reward.lapsed_amount })}</p>
      )}
    </>
  )
}

/** The claims of one plan. */
export function ClaimHistoryDialog({ earning, onClose }: HistoryDialogProps) {
  const text = useTexts(earningsTexts)
  const list = useListState(LIST_ORDERS.claims)
  const result = useQuery(
    historyQueries.claims({ ...list.query, plan_code: earning.earning_plan_code }),
  )
  const columns: Column<ClaimRecord>[] = [
    sortable(dateColumn('claim_date', text('date'))),
    {
      id: 'plan_code',
      header: text('planCode'),
      isSortable: true,
      cell: (row) => (
        <div>
          {/* A single element, so that a card lays it out as one value. */}
          <span>{row.plan_code}</span>
          <WhyClaim claim={row} />
        </div>
      ),
    },
    sortable(amountColumn('claimed_amount', text('amount'), 'DCT')),
    {
      id: 'trx_hash',
      header: text('transactionHash'),
      isSortable: true,
      cell: (row) => (
        <div>
          <ClaimHash claim={row} />
          <p className="soft small">{text(row.is_paid ? 'feePaid' : 'feeNotPaid')}</p>
        </div>
      ),
    },
  ]
  return (
    <Dialog title={EARNINGS_WORDING.claimHistory} onClose={onClose} size="wide">
      <DataTable
        caption={EARNINGS_WORDING.claimHistory}
        columns={columns}
        rowKey={(row) => row.code_claim}
        list={list}
        result={result}
        emptyText={text('noHistory')}
        isOwnEmptyText
        errorText={EARNINGS_WORDING.historyFailed}
        searchLabel={text('historySearch')}
      />
    </Dialog>
  )
}

/** The payout's transaction, why there is none (yet), and what became of the amount of a claim that ended unpaid. */
function ClaimHash({ claim: { state, trx_hash, lapsed_amount: amount } }: { claim: ClaimRecord }) {
  const text = useTexts(earningsTexts)
  const isStarted = state === 'paid' || !trx_hash.startsWith('RW-')
  return (
    <>
      {isStarted && <PayoutHash hash={trx_hash} />}
      {state === 'lapsed' && <p className="soft">{text('claimLapsed', { amount })}</p>}
      {state === 'cancelled' && <p className="soft">{text('claimCancelled')}</p>}
      {state === 'awaiting_fee' && !isStarted && <p className="soft">{text('awaitingFee')}</p>}
    </>
  )
}
