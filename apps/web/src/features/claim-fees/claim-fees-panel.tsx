import type { PendingClaimFee } from '@dct/api-contract/claims'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { OPEN_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { Term } from '../../shared/glossary/term.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListDefaults } from '../../shared/lib/list-params.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { QuestionLink } from '../../shared/ui/question-link.tsx'
import { SearchBox } from '../../shared/ui/search-box.tsx'
import { StaleNotice } from '../../shared/ui/stale-notice.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { OpenFeeCard } from './open-fee-card.tsx'
import { PaidFeesTable } from './paid-fees-table.tsx'
import { useSettledNotice } from './use-settled-notice.ts'
import './claim-fees.css'

const DEFAULTS: ListDefaults = { prefix: 'fees.', ...LIST_ORDERS.pendingFees }

/** The fees of the user's claims: open ones as cards, paid ones as a table. */
export function ClaimFeesPanel() {
  const text = useTexts(feeTexts)
  const headingId = useId()
  const list = useListParams(DEFAULTS)
  const { search } = list.state
  const open = useQuery(pendingFeeQueries.list({ ...OPEN_FEES, ...(search && { search }) }))
  const paid = useQuery(pendingFeeQueries.list({ ...list.query, is_paid: true }))
  useErrorToast(open.error ?? paid.error, FEE_WORDING.listFailed)
  useSettledNotice(open.data?.pending_fees, paid.data?.pending_fees)

  return (
    <section id="fees" className="panel fees" aria-labelledby={headingId}>
      <div className="panel__head">
        <div className="stack stack--tight">
          <h2 id={headingId}>
            <Term word="fee">{text('title')}</Term>
          </h2>
          <p className="soft small">{text('lead')}</p>
        </div>
        <SearchBox label={text('search')} value={search} onSearch={list.setSearch} />
      </div>
      <StaleNotice query={open} />
      <OpenFees query={open} />
      <p className="asks">
        <QuestionLink id="bsc">{text('askBsc')}</QuestionLink>
        <QuestionLink id="exact">{text('askExact')}</QuestionLink>
        <QuestionLink id="waiting">{text('askWaiting')}</QuestionLink>
        <QuestionLink id="unpaid">{text('askUnpaid')}</QuestionLink>
      </p>
      <section className="stack stack--tight" aria-label={text('paidFees')}>
        <h3>{text('paidFees')}</h3>
        <PaidFeesTable
          list={list}
          result={{ ...paid, data: paid.data && { ...paid.data, rows: paid.data.pending_fees } }}
        />
      </section>
    </section>
  )
}

function OpenFees({ query }: { query: UseQueryResult<{ pending_fees: PendingClaimFee[] }> }) {
  const text = useTexts(feeTexts)
  if (query.data === undefined) {
    return query.isError ? (
      <LoadFailed onRetry={() => void query.refetch()}>{text('listFailed')}</LoadFailed>
    ) : (
      // As high as the line that most holders see, so that nothing below it moves.
      <p className="skeleton skeleton--line" aria-busy="true">
        &nbsp;
      </p>
    )
  }
  const fees = query.data.pending_fees
  if (fees.length === 0) return <p className="soft">{text('nothingOpen')}</p>
  return (
    <section className="stack stack--tight" aria-label={text('openFees')}>
      <h3>{text('openFees')}</h3>
      <ul className="fees__open">
        {fees.map((fee) => (
          <li key={fee.code_claim}>
            <OpenFeeCard fee={fee} />
          </li>
        ))}
      </ul>
    </section>
  )
}
