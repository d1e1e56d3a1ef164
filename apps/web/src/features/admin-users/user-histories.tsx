import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { ClaimPoolEntry, ReferralReward } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { useListState } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { BonusTypeName } from '../../shared/ui/bonus-type-name.tsx'
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
    {
      id: 'created_at',
      header: text('date'),
      isSortable: true,
      cell: (row) => <DateTime value={row.created_at} />,
    },
    {
      id: 'from_tron_address',
      header: text('fromAddress'),
      isSortable: true,
      cell: (row) => <ExplorerValue chain="tron" kind="address" value={row.from_tron_address} />,
    },
    {
      id: 'earning_plan_code',
      header: text('planCode'),
      isSortable: true,
      cell: (row) => row.earning_plan_code,
    },
    {
      id: 'reward_amount',
      header: text('rewardAmount'),
      isSortable: true,
      align: 'end',
      cell: (row) => <Amount value={row.reward_amount} unit="USDT" />,
    },
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
    {
      id: 'total_accumulated',
      header: text('totalReward'),
      isSortable: true,
      align: 'end',
      cell: (row) => <Amount value={row.total_accumulated} unit="USDT" />,
    },
    {
      id: 'created_at',
      header: text('claimDate'),
      isSortable: true,
      cell: (row) => <DateTime value={row.created_at} />,
    },
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
    {
      id: 'usdt_address',
      header: text('usdtAddress'),
      isSortable: true,
      cell: (row) => <ExplorerValue chain="bsc" kind="address" value={row.usdt_address} />,
    },
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
