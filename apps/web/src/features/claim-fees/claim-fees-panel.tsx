import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { OPEN_FEES, PAID_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListDefaults } from '../../shared/lib/list-params.ts'
import { type ListControls, useListParams } from '../../shared/lib/use-list-params.ts'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { SearchBox } from '../../shared/ui/search-box.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { UI_WORDING } from '../../shared/ui/ui.texts.ts'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { OpenFeeCard } from './open-fee-card.tsx'
import { PaidFeesTable } from './paid-fees-table.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { paymentStage } from './payment-stage.ts'
import { PaymentTracker } from './payment-tracker.tsx'
import { useSettledToast } from './use-settled-toast.ts'
import '../../shared/ui/wide-table.css'
import './claim-fees.css'

const DEFAULTS: ListDefaults = { prefix: 'fees.', ...LIST_ORDERS.pendingFees }

function useFees() {
  const list = useListParams(DEFAULTS)
  const { search } = list.state
  const open = useQuery(pendingFeeQueries.list({ ...OPEN_FEES, ...(search && { search }) }))
  const paid = useQuery(pendingFeeQueries.list({ ...list.query, is_paid: true }))
  const openCount = useQuery(pendingFeeQueries.list(OPEN_FEES)).data?.pending_fees.length ?? 0
  return { list, open, paid, openCount, hasOpen: openCount > 0 }
}

/**
 * The fees to pay, and the payments that are under way until their rewards are sent; renders nothing without any. The
 * dialog that pays one stays open until its reward is sent.
 */
export function OpenFees() {
  const text = useTexts(feeTexts)
  const headingId = useId()
  const { open, paid, hasOpen } = useFees()
  const newestPaid = useQuery(pendingFeeQueries.list(PAID_FEES)).data?.pending_fees ?? []
  const [paying, setPaying] = useState<string>()
  useErrorToast(open.error, FEE_WORDING.listFailed)
  useSettledToast(open.data?.pending_fees, newestPaid)

  const fees = open.data?.pending_fees ?? []
  const underWay = newestPaid.filter((fee) => paymentStage(fee) !== 'sent')
  const chosen = [...fees, ...newestPaid].find(({ code_claim }) => code_claim === paying)
  const dialog = chosen && <PayDialog fee={chosen} onClose={() => setPaying(undefined)} />
  if (open.data === undefined && open.isError) {
    const retry = () => Promise.all([open.refetch(), paid.refetch()])
    return (
      <section id="fees" className="fees" aria-label={text('title')}>
        <LoadFailed onRetry={() => void retry()}>{text('listFailed')}</LoadFailed>
      </section>
    )
  }
  if (!hasOpen && underWay.length === 0) return <>{dialog}</>
  return (
    <section id="fees" className="fees anchor" aria-labelledby={headingId}>
      <h2 className="fees__title" id={headingId}>
        {text('title')}
      </h2>
      <StaleCallout query={open} />
      {hasOpen && fees.length === 0 && <p className="soft">{text('noneFound')}</p>}
      <ul className="fees__open">
        {fees.map((fee) => (
          <li key={fee.code_claim}>
            <OpenFeeCard fee={fee} onPay={() => setPaying(fee.code_claim)} />
          </li>
        ))}
        {underWay.map((fee) => (
          <li key={fee.code_claim} className="fee-card">
            <PaymentTracker fee={fee} hasTitle />
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  )
}

/** The paid fees as a table, and that nothing is to be paid if that is so. */
export function PaidFees() {
  const text = useTexts(feeTexts)
  const headingId = useId()
  const { list, open, paid, openCount, hasOpen } = useFees()
  useErrorToast(paid.error, FEE_WORDING.listFailed)
  const rows = paid.data?.pending_fees
  const hasPaid = rows === undefined || rows.length > 0 || list.isNarrowed
  const nothing = hasOpen || open.data === undefined ? undefined : text('nothingOpen')
  // The open fees say it for both.
  if (open.data === undefined && rows === undefined && paid.isError) return null
  return (
    <section className="panel wide-table fees" aria-labelledby={headingId}>
      <div className="panel__head">
        <h2 className="fees__title" id={headingId}>
          {nothing === undefined ? text('paidFees') : `${text('title')}: `}
          {nothing !== undefined && <span className="fees__none">{nothing}</span>}
          {nothing === undefined && !hasPaid && (
            <span className="fees__none">: {text('nonePaid')}</span>
          )}
        </h2>
        {(openCount > 1 || hasPaid) && <FeeSearch list={list} />}
      </div>
      {hasPaid && (
        <PaidFeesTable
          list={list}
          result={{ ...paid, data: paid.data && { ...paid.data, rows: paid.data.pending_fees } }}
        />
      )}
    </section>
  )
}

/** Searches the open and the paid fees. */
function FeeSearch({ list }: { list: ListControls }) {
  const text = useTexts(feeTexts)
  return (
    <SearchBox
      label={text('search')}
      placeholder={UI_WORDING.search}
      value={list.state.search}
      onSearch={list.setSearch}
    />
  )
}
