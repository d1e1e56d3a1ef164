import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import type { ListControls } from '../../shared/lib/use-list-params.ts'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { recordQueries } from './admin-records.api.ts'
import { RECORD_WORDING, recordTexts } from './admin-records.texts.ts'

/** Filters a list by plan. The list's defaults must define the filter `plan`. */
export function PlanFilter({ list }: { list: ListControls }) {
  const text = useTexts(recordTexts)
  const codes = useQuery(recordQueries.planCodes).data ?? []
  const chosen = list.state.filters.plan ?? ''
  // A shared URL may select a plan before the list of plans is loaded.
  const offered = chosen === '' || codes.includes(chosen) ? codes : [chosen, ...codes]
  return (
    <SelectField
      label={text('planFilter')}
      value={chosen}
      onChoose={(chosen) => list.setFilter('plan', chosen)}
    >
      <option value="">{RECORD_WORDING.allPlans}</option>
      {offered.map((code) => (
        <option key={code} value={code}>
          {code}
        </option>
      ))}
    </SelectField>
  )
}

/** The list's query, filtered by the chosen plan. */
export function planQueryOf(list: ListControls) {
  const code = list.state.filters.plan ?? ''
  return { ...list.query, ...(code !== '' && { earning_plan_code: code }) }
}
