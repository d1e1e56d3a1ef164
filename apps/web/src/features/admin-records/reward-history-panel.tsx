import type { AdminRewardRecord } from '@dct/api-contract/earnings'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import {
  addressColumn,
  amountColumn,
  dateColumn,
  sortable,
  textColumn,
} from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { recordQueries } from './admin-records.api.ts'
import { RECORD_COLUMNS, RECORD_WORDING, recordTexts } from './admin-records.texts.ts'
import { PlanFilter, planQueryOf } from './plan-filter.tsx'
import '../../shared/ui/wide-table.css'

const DEFAULTS = { ...LIST_ORDERS.allRewards, filters: { plan: '' } } as const

const columns = (): Column<AdminRewardRecord>[] => [
  sortable(dateColumn('reward_date', RECORD_COLUMNS.date)),
  sortable(textColumn('earning_plan_code', RECORD_COLUMNS.planCode)),
  sortable(addressColumn('tron_address', RECORD_COLUMNS.tronAddress, 'tron')),
  sortable(amountColumn('locked_amount', RECORD_COLUMNS.locked, 'DCT')),
  {
    id: 'reward_amount',
    header: RECORD_COLUMNS.amount,
    align: 'end',
    cell: (row) => <RewardAmount reward={row} />,
  },
]

/** A lapsed cycle paid nothing; shows what it would have paid. */
function RewardAmount({ reward }: { reward: AdminRewardRecord }) {
  const text = useTexts(recordTexts)
  return (
    <>
      <Amount value={reward.reward_amount} unit="DCT" />
      {isPositive(reward.lapsed_amount) && (
        <p className="soft">{text('lapsed', { amount: reward.lapsed_amount })}</p>
      )}
    </>
  )
}

/** The reward cycles of all users' earnings. */
export function RewardHistoryPanel() {
  const text = useTexts(recordTexts)
  const list = useListParams(DEFAULTS)
  const result = useQuery(recordQueries.rewards(planQueryOf(list)))
  return (
    <section className="panel wide-table" aria-label={RECORD_WORDING.rewards}>
      <DataTable
        caption={RECORD_WORDING.rewards}
        columns={columns()}
        rowKey={(row) => `${row.tron_address} ${row.earning_plan_code} ${row.cycle}`}
        list={list}
        result={result}
        emptyText={RECORD_WORDING.noHistory}
        errorText={RECORD_WORDING.historyFailed}
        searchLabel={text('search')}
        hasDateRange
        download={
          <ExportButton path="/admin/reward-distribution-history" query={planQueryOf(list)} />
        }
        filters={<PlanFilter list={list} />}
      />
    </section>
  )
}
