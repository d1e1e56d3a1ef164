import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateRange } from '../../shared/ui/date-range.tsx'
import { historyTexts } from './history.texts.ts'
import { GROUPS, type HistoryParams } from './use-history-params.ts'

/** Filters a history by kind, plan and days, and controls its order and whether rewards are shown by month or day. */
export function HistoryFilters({ params }: { params: HistoryParams }) {
  const text = useTexts(historyTexts)
  const { view, choose } = params
  const { kind = '', earning_plan_code: plan = '', start_date = '', end_date = '' } = view
  return (
    <div className="history__filters">
      <Choice label={text('kind')} value={kind} onChoose={(chosen) => choose({ kind: chosen })}>
        <option value="">{text('kindAll')}</option>
        {GROUPS.map(([group, name]) => (
          <option key={group} value={group}>
            {text(name)}
          </option>
        ))}
      </Choice>
      <Choice label={text('plan')} value={plan} onChoose={(chosen) => choose({ plan: chosen })}>
        <option value="">{text('allPlans')}</option>
        {usePlans(plan).map((code) => (
          <option key={code}>{code}</option>
        ))}
      </Choice>
      <DateRange
        list={{
          state: { startDate: start_date, endDate: end_date },
          setDates: ({ startDate, endDate }) => choose({ from: startDate, to: endDate }),
        }}
      />
      <Choice
        label={text('rewards')}
        value={view.rewards}
        onChoose={(chosen) => choose({ rewards: chosen === 'daily' ? chosen : '' })}
      >
        <option value="monthly">{text('monthly')}</option>
        <option value="daily">{text('daily')}</option>
      </Choice>
      <Choice
        label={text('order')}
        value={view.sort_order}
        onChoose={(chosen) => choose({ order: chosen === 'asc' ? chosen : '' })}
      >
        <option value="desc">{text('newest')}</option>
        <option value="asc">{text('oldest')}</option>
      </Choice>
    </div>
  )
}

/** The holder's plans; a chosen one from a link is offered before they are loaded. */
function usePlans(chosen: string): readonly string[] {
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings ?? []
  const codes = earnings.map(({ earning_plan_code }) => earning_plan_code)
  return [...new Set(chosen === '' ? codes : [chosen, ...codes])].toSorted()
}

type ChoiceProps = {
  label: string
  value: string
  onChoose(value: string): void
  children: ReactNode
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  return (
    <label className="field">
      <span className="field__label">{label}</span>
      <select className="input" value={value} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </label>
  )
}
