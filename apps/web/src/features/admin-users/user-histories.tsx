import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { ClaimPoolEntry, ReferralReward } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { useListState } from '../../shared/lib/use-list-params.ts'
import { BonusTypeName } from '../../shared/ui/bonus-type-name.tsx'
import {
  addressColumn,
  amountColumn,
  dateColumn,
  sortable,
  textColumn,
} from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { pathOf, userQueries } from './admin-users.api.ts'
import { USER_WORDING, userTexts } from './admin-users.texts.ts'

type HistoryProps = { address: string; onClose(): void }

/** One user's referral rewards. */
export function RewardHistoryDialog({ address, onClose }: HistoryProps) {
  const text = useTexts(userTexts)
  const list = useListState(LIST_ORDERS.userReferralRewards)
  const result = useQuery(userQueries.rewards(address, list.query))
  const columns: Column<ReferralReward>[] = [
    sortable(dateColumn('created_at', text('date'))),
    sortable(addressColumn('from_tron_address', text('fromAddress'), 'tron')),
    sortable(textColumn('earning_plan_code', text('planCode'))),
    sortable(amountColumn('reward_amount', text('rewardAmount'), 'USDT')),
    {
      id: 'reward_description',
      header: text('description'),
      isSortable: true,
      cell: (row) => (
        <>
          {row.reward_description}
          <p className="soft">
            {text('share', { percentage: shownPercentage(row.rate_percentage) })}
          </p>
        </>
      ),
    },
  ]
  return (
    <Dialog title={USER_WORDING.rewardHistory} onClose={onClose} size="wide">
      <p className="soft">{text('of', { address: shorten(address) })}</p>
      <DataTable
        caption={USER_WORDING.rewardHistory}
        columns={columns}
        rowKey={(row) => row.id}
        list={list}
        result={result}
        emptyText={USER_WORDING.noRewards}
        errorText={USER_WORDING.rewardsFailed}
        searchLabel={text('searchHistory')}
        hasDateRange
        download={
          <ExportButton path={pathOf('referral-reward-history', address)} query={list.query} />
        }
      />
    </Dialog>
  )
}

/** One user's referral claims. */
export function ClaimPoolHistoryDialog({ address, onClose }: HistoryProps) {
  const text = useTexts(userTexts)
  const list = useListState(LIST_ORDERS.userReferralClaims)
  const result = useQuery(userQueries.claims(address, list.query))
  const columns: Column<ClaimPoolEntry>[] = [
    {
      id: 'bonus_type',
      header: text('bonusType'),
      isSortable: true,
      cell: (row) => <BonusTypeName type={row.bonus_type} none={USER_WORDING.notKnown} />,
    },
    sortable(amountColumn('total_accumulated', text('totalReward'), 'USDT')),
    sortable(dateColumn('created_at', text('claimDate'))),
    {
      id: 'approve_at',
      header: text('approveAt'),
      isSortable: true,
      cell: (row) =>
        row.approve_at ? <DateTime value={row.approve_at} /> : USER_WORDING.notProcessed,
    },
    {
      id: 'tx_hash_usdt',
      header: text('usdtHash'),
      isSortable: true,
      cell: (row) =>
        row.tx_hash_usdt ? (
          <ExplorerValue chain="bsc" kind="transaction" value={row.tx_hash_usdt} />
        ) : (
          USER_WORDING.notProcessed
        ),
    },
    sortable(addressColumn('usdt_address', text('usdtAddress'), 'bsc')),
  ]
  return (
    <Dialog title={USER_WORDING.claimHistory} onClose={onClose} size="wide">
      <p className="soft">{text('of', { address: shorten(address) })}</p>
      <DataTable
        caption={USER_WORDING.claimHistory}
        columns={columns}
        rowKey={(row) => row.id}
        list={list}
        result={result}
        emptyText={USER_WORDING.noClaims}
        errorText={USER_WORDING.claimsFailed}
        searchLabel={text('searchHistory')}
        hasDateRange
        download={
          <ExportButton path={pathOf('referral-claim-pool-history', address)} query={list.query} />
        }
      />
    </Dialog>
  )
}
