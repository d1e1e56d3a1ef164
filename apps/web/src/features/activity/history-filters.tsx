import { useQuery } from '@tanstack/react-query'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateRange } from '../../shared/ui/date-range.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { historyTexts } from './history.texts.ts'
import { GROUPS, type HistoryParams } from './use-history-params.ts'

/** Filters a history by kind, plan and days, and controls its order and whether rewards are shown by month or day. */
export function HistoryFilters({ params }: { params: HistoryParams }) {
  const text = useTexts(historyTexts)
  const { view, choose } = params
  const { kind = '', earning_plan_code: plan = '', start_date = '', end_date = '' } = view
  return (
    <div className="history__filters">
      <SelectField
        label={text('kind')}
        value={kind}
        onChoose={(chosen) => choose({ kind: chosen })}
      >
        <option value="">{text('kindAll')}</option>
        {GROUPS.map(([group, name]) => (
          <option key={group} value={group}>
            {text(name)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text('plan')}
        value={plan}
        onChoose={(chosen) => choose({ plan: chosen })}
      >
        <option value="">{text('allPlans')}</option>
        {usePlans(plan).map((code) => (
          <option key={code}>{code}</option>
        ))}
      </SelectField>
      <SelectField
        label={text('rewards')}
        value={view.rewards}
        onChoose={(chosen) => choose({ rewards: chosen === 'daily' ? chosen : '' })}
      >
        <option value="monthly">{text('monthly')}</option>
        <option value="daily">{text('daily')}</option>
      </SelectField>
      <SelectField
        label={text('order')}
        value={view.sort_order}
        onChoose={(chosen) => choose({ order: chosen === 'asc' ? chosen : '' })}
      >
        <option value="desc">{text('newest')}</option>
        <option value="asc">{text('oldest')}</option>
      </SelectField>
      <DateRange
        list={{
          state: { startDate: start_date, endDate: end_date },
          setDates: ({ startDate, endDate }) => choose({ from: startDate, to: endDate }),
        }}
      />
    </div>
  )
}

/** The holder's plans; a chosen one from a link is offered before they are loaded. */
function usePlans(chosen: string): readonly string[] {
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings ?? []
  const codes = earnings.map(({ earning_plan_code }) => earning_plan_code)
  return [...new Set(chosen === '' ? codes : [chosen, ...codes])].toSorted()
}
