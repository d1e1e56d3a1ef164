import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { joinQueries } from './join-plan.api.ts'
import { JOIN_WORDING, joinTexts } from './join-plan.texts.ts'

/** What is left of the chosen plan. Unknown values are never shown as 0. */
export function QuotaFigures({ planCode }: { planCode: string }) {
  const text = useTexts(joinTexts)
  const { data, error, isFetching } = useQuery(joinQueries.quota(planCode))
  useErrorToast(error, JOIN_WORDING.quotaFailed)
  return (
    <div className="stack stack--tight" aria-busy={isFetching}>
      <dl className="facts">
        <div>
          <dt>{text('dailyQuota')}</dt>
          <dd>
            <Amount value={error ? undefined : data?.remaining_daily_limit} unit="DCT" />
          </dd>
        </div>
        <div>
          <dt>{text('annualQuota')}</dt>
          <dd>
            <Amount value={error ? undefined : data?.remaining_annual_quota} unit="DCT" />
          </dd>
        </div>
      </dl>
      <p className="soft small">{text('quotaHint')}</p>
    </div>
  )
}
