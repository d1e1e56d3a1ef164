import type { EarningPlan } from '@dct/api-contract/plans'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { roomOf } from './join-checks.ts'
import { joinQueries } from './join-plan.api.ts'
import { JOIN_WORDING, joinTexts } from './join-plan.texts.ts'

/** What is left of the chosen plan. Unknown values are never shown as 0. */
export function QuotaFigures({ plan }: { plan: EarningPlan | undefined }) {
  const text = useTexts(joinTexts)
  const { data, error, isFetching } = useQuery(joinQueries.quota(plan?.plan_code ?? ''))
  useErrorToast(error, JOIN_WORDING.quotaFailed)
  const room =
    plan &&
    data &&
    !error &&
    roomOf({
      totalPercentage: plan.total_percentage,
      remainingDaily: data.remaining_daily_limit,
      remainingAnnual: data.remaining_annual_quota,
    })
  return (
    <div className="stack stack--tight" aria-busy={isFetching}>
      <dl className="facts">
        <Fact term={text('dailyQuota')} word="quota">
          <Amount value={error ? undefined : data?.remaining_daily_limit} unit="DCT" />
        </Fact>
        <Fact term={text('annualQuota')}>
          <Amount value={error ? undefined : data?.remaining_annual_quota} unit="DCT" />
        </Fact>
      </dl>
      <p className="soft small">
        {text('quotaHint')}{' '}
        {room && text(room.by === 'annual' ? 'roomAnnual' : 'roomDaily', { amount: room.amount })}
      </p>
    </div>
  )
}
