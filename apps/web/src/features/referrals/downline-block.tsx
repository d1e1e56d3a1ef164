import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { ReferralNode } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListDefaults } from '../../shared/lib/list-params.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { addressColumn, dateColumn, sortable, textColumn } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Block } from './block.tsx'
import { DownlinePicture } from './downline-picture.tsx'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import { TwoViews } from './two-views.tsx'

const DEFAULTS: ListDefaults = { prefix: 'downline.', ...LIST_ORDERS.downline }

export function useDownline() {
  const list = useListParams(DEFAULTS)
  return { list, result: useQuery(referralQueries.downline(list.query)) }
}

/** All users below the current user. */
export function DownlineBlock() {
  const text = useTexts(referralTexts)
  const { list, result } = useDownline()
  const columns: Column<ReferralNode>[] = [
    sortable(textColumn('level', text('level'))),
    sortable(addressColumn('tron_address', text('tronAddress'), 'tron')),
    {
      id: 'referral_code',
      header: text('referralCode'),
      isSortable: true,
      cell: (node) => <span className="code">{node.referral_code}</span>,
    },
    sortable(dateColumn('created_at', text('joinDate'))),
  ]
  const table = (
    <DataTable
      caption={text('downline')}
      columns={columns}
      rowKey={(node) => node.tron_address}
      list={list}
      result={result}
      emptyText={REFERRAL_WORDING.noDownline}
      isOwnEmptyText
      errorText={REFERRAL_WORDING.downlineFailed}
      searchLabel={text('downlineSearch')}
      searchPlaceholder={text('downlineSearchShort')}
      isSearchByButton
    />
  )
  return (
    <Block title={text('downline')} lead={text('downlineLead')}>
      <TwoViews
        label={text('downline')}
        list={{ name: text('asList'), content: table }}
        picture={{ name: text('asPicture'), content: <DownlinePicture /> }}
      />
    </Block>
  )
}
