import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { ReferralReward } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListDefaults } from '../../shared/lib/list-params.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { addressColumn, amountColumn, dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Block } from './block.tsx'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import { RewardReason } from './reward-reason.tsx'
import { TwoViews } from './two-views.tsx'

const EarningsChart = lazyPart(async () => (await import('./earnings-chart.tsx')).EarningsChart)
const DEFAULTS: ListDefaults = { prefix: 'rewards.', ...LIST_ORDERS.ownReferralRewards }

export function useRewards() {
  const list = useListParams(DEFAULTS)
  return { list, result: useQuery(referralQueries.rewards(list.query)) }
}

/** The rewards from the fees of the user's downline, fee by fee. */
export function RewardsBlock() {
  const text = useTexts(referralTexts)
  const { list, result } = useRewards()
  const columns: Column<ReferralReward>[] = [
    sortable(addressColumn('from_tron_address', text('fromAddress'), 'tron')),
    sortable(amountColumn('reward_amount', text('rewardAmount'), 'USDT')),
    {
      id: 'reward_description',
      header: text('rewardDescription'),
      isSortable: true,
      cell: (reward) => <RewardReason reward={reward} />,
    },
    sortable(dateColumn('created_at', text('rewardDate'))),
  ]
  const table = (
    <DataTable
      caption={text('rewards')}
      columns={columns}
      rowKey={(reward) => reward.id}
      list={list}
      result={result}
      emptyText={REFERRAL_WORDING.noRewards}
      errorText={REFERRAL_WORDING.rewardsFailed}
      searchLabel={text('rewardsSearch')}
      searchPlaceholder={text('rewardsSearchShort')}
    />
  )
  const overTime = (
    <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
      <EarningsChart />
    </Suspense>
  )
  return (
    <Block title={text('rewards')} lead={text('rewardsLead')}>
      <TwoViews
        label={text('rewards')}
        list={{ name: text('asList'), content: table }}
        picture={{ name: text('overTime'), content: overTime }}
      />
    </Block>
  )
}
