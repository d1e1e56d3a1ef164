import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { ReferralNode } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { useListState } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { addressColumn, amountColumn, dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { pathOf, userQueries } from './admin-users.api.ts'
import { USER_WORDING, userTexts } from './admin-users.texts.ts'

/** A user's downline, level by level. */
export function UserReferralsDialog({ address, onClose }: { address: string; onClose(): void }) {
  const text = useTexts(userTexts)
  const [path, setPath] = useState<readonly string[]>([address])
  const current = path.at(-1) ?? address
  return (
    <Dialog title={USER_WORDING.referrals} onClose={onClose} size="wide">
      <nav aria-label={text('path')}>
        <ol className="breadcrumb">
          {path.map((step, index) => (
            <li key={step}>
              {index === path.length - 1 ? (
                <span className="code" aria-current="location" title={step}>
                  {shorten(step)}
                </span>
              ) : (
                <button
                  type="button"
                  className="text-button code"
                  title={step}
                  onClick={() => setPath(path.slice(0, index + 1))}
                >
                  {shorten(step)}
                </button>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {path.length > 1 && (
        <p>
          <QuietButton onClick={() => setPath(path.slice(0, -1))}>
            {USER_WORDING.backToParent}
          </QuietButton>
        </p>
      )}
      <Turnover address={current} level={path.length} />
      <ReferralTable
        key={current}
        address={current}
        depth={path.length - 1}
        onOpen={(next) => setPath([...path, next])}
      />
    </Dialog>
  )
}

function Turnover({ address, level }: { address: string; level: number }) {
  const text = useTexts(userTexts)
  const { data } = useQuery(userQueries.turnover(address))
  return (
    <dl className="facts">
      <Fact term={text('level')}>{level}</Fact>
      <Fact term={text('totalDownline')}>{data?.total_downline ?? UNKNOWN}</Fact>
      <Fact term={text('totalTurnover')}>
        <Amount value={data?.total_turnover} unit="DCT" />
      </Fact>
    </dl>
  )
}

type ReferralTableProps = {
  address: string
  /** How many levels this user is below the one for whom the dialog was opened. */
  depth: number
  onOpen(address: string): void
}

function ReferralTable({ address, depth, onOpen }: ReferralTableProps) {
  const text = useTexts(userTexts)
  const list = useListState(LIST_ORDERS.userReferrals)
  const result = useQuery(userQueries.referrals(address, list.query))
  const columns: Column<ReferralNode>[] = [
    { id: 'level', header: text('level'), isSortable: true, cell: (row) => row.level + depth },
    sortable(addressColumn('tron_address', text('tronAddress'), 'tron')),
    {
      id: 'referral_code',
      header: text('referralCode'),
      isSortable: true,
      cell: (row) => <span className="code">{row.referral_code}</span>,
    },
    sortable(dateColumn('created_at', text('joinDate'))),
    sortable(amountColumn('total_locked_amount', text('totalLocked'), 'DCT')),
    {
      id: 'total_referrals',
      header: text('totalReferrals'),
      isSortable: true,
      align: 'end',
      cell: (row) => (
        <button
          type="button"
          className="text-button"
          aria-label={`${text('drillDown', { address: shorten(row.tron_address) })}: ${row.total_referrals}`}
          onClick={() => onOpen(row.tron_address)}
        >
          {row.total_referrals}
        </button>
      ),
    },
  ]
  return (
    <DataTable
      caption={USER_WORDING.referrals}
      columns={columns}
      rowKey={(row) => row.tron_address}
      list={list}
      result={result}
      emptyText={USER_WORDING.noReferrals}
      errorText={USER_WORDING.referralsFailed}
      searchLabel={text('searchReferrals')}
      download={<ExportButton path={pathOf('user-referrals', address)} query={list.query} />}
    />
  )
}
