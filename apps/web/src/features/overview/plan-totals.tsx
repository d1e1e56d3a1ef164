import { useQuery } from '@tanstack/react-query'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { type Earning, earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { addDecimals } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { overviewTexts } from './overview.texts.ts'

/** The user's totals: locked capital and claimable rewards. */
export function PlanTotals() {
  const text = useTexts(overviewTexts)
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const claimable = useQuery(claimableQuery).data
  return (
    <section className="overview__plans" aria-label={text('plans')}>
      <h2 className="overview__heading">{text('plans')}</h2>
      <dl className="overview__figures overview__figures--small">
        <div>
          <dt>{text('locked')}</dt>
          <dd>
            <Amount
              value={earnings && sum(earnings.filter(isLocked), 'total_locked_amount')}
              unit="DCT"
            />
          </dd>
        </div>
        <div>
          <dt>{text('claimable')}</dt>
          <dd>
            <Amount value={claimable && sum(claimable, 'total_claimable')} unit="DCT" />
          </dd>
        </div>
      </dl>
    </section>
  )
}

function isLocked({ is_hash_confirmed, capital_state }: Earning): boolean {
  return is_hash_confirmed === 'SUCCESS' && capital_state !== 'released'
}

function sum<K extends string>(rows: readonly Record<K, string>[], field: K): string {
  return rows.reduce((total, row) => addDecimals(total, row[field]), '0')
}
