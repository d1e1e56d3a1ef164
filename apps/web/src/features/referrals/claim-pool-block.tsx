import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListDefaults } from '../../shared/lib/list-params.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { BonusTypeName } from '../../shared/ui/bonus-type-name.tsx'
import { amountColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Block } from './block.tsx'
import { ClaimState } from './claim-state.tsx'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'

const DEFAULTS: ListDefaults = { prefix: 'claims.', ...LIST_ORDERS.ownReferralClaims }

export function useClaims() {
  const list = useListParams(DEFAULTS)
  return { list, result: useQuery(referralQueries.claims(list.query)) }
}

/** The user's claims and their states. */
export function ClaimPoolBlock() {
  const text = useTexts(referralTexts)
  const { list, result } = useClaims()
  const columns: Column<ClaimPoolEntry>[] = [
    {
      id: 'bonus_type',
      header: text('bonusType'),
      isSortable: true,
      cell: (claim) => (
        <div className="referral-claim">
          <BonusTypeName type={claim.bonus_type} none={REFERRAL_WORDING.noBonusType} />
          <ClaimState claim={claim} usualWait={result.data?.usualWait ?? null} />
        </div>
      ),
    },
    sortable(amountColumn('total_accumulated', text('total'), 'USDT')),
    {
      id: 'last_claim_date',
      header: text('claimDate'),
      isSortable: true,
      cell: (claim) => <DateOrNot value={claim.last_claim_date} />,
    },
    {
      id: 'approve_at',
      header: text('approveAt'),
      isSortable: true,
      cell: (claim) => <DateOrNot value={claim.approve_at} />,
    },
    {
      id: 'tx_hash_usdt',
      header: text('usdtHash'),
      isSortable: true,
      cell: (claim) => <OnBsc kind="transaction" value={claim.tx_hash_usdt} />,
    },
    {
      id: 'usdt_address',
      header: text('usdtAddress'),
      isSortable: true,
      cell: (claim) => <OnBsc kind="address" value={claim.usdt_address} />,
    },
  ]
  return (
    <Block title={text('claims')} lead={text('claimsLead')}>
      <DataTable
        caption={text('claims')}
        columns={columns}
        rowKey={(claim) => claim.id}
        list={list}
        result={result}
        emptyText={REFERRAL_WORDING.noClaims}
        errorText={REFERRAL_WORDING.claimsFailed}
        searchLabel={text('claimsSearch')}
        searchPlaceholder={text('claimsSearchShort')}
      />
    </Block>
  )
}

function NotProcessed() {
  return <span className="soft">{REFERRAL_WORDING.notProcessed}</span>
}

function DateOrNot({ value }: { value: string | null }) {
  return value ? <DateTime value={value} /> : <NotProcessed />
}

function OnBsc({ kind, value }: { kind: 'transaction' | 'address'; value: string | null }) {
  return value ? <ExplorerValue chain="bsc" kind={kind} value={value} /> : <NotProcessed />
}
