import type { EarningPlan } from '@dct/api-contract/plans'
import { JOIN_MAX_DCT } from '@dct/rules/constants'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { Figure } from './join-calculator.tsx'
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
    <div className="join-plan__quota small" aria-busy={isFetching}>
      <dl className="join-calculator__figures">
        <Figure name={text('dailyQuota')} word="quota">
          <Amount value={error ? undefined : data?.remaining_daily_limit} unit="DCT" />
        </Figure>
        <Figure name={text('annualQuota')}>
          <Amount value={error ? undefined : data?.remaining_annual_quota} unit="DCT" />
        </Figure>
      </dl>
      {room && isTight(room.amount) && (
        <p className="soft">
          {text(room.by === 'annual' ? 'roomAnnual' : 'roomDaily', { amount: room.amount })}
        </p>
      )}
    </div>
  )
}

/** Whether somebody who locks the most would notice the quota. */
function isTight(room: string): boolean {
  return compareDecimals(room, JOIN_MAX_DCT) < 0
}
