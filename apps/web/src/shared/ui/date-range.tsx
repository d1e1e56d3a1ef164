import { DateField } from './date-field.tsx'
import { UI_WORDING } from './ui.texts.ts'
import './date-range.css'

type Days = { startDate: string; endDate: string }
type DateRangeProps = { list: { state: Days; setDates(changed: Partial<Days>): void } }

/** A list's start and end day, both inclusive. */
export function DateRange({ list }: DateRangeProps) {
  const { startDate, endDate } = list.state
  return (
    <div className="date-range">
      <DateField
        label={UI_WORDING.startDate}
        value={startDate}
        max={endDate}
        onChoose={(day) => list.setDates({ startDate: day })}
      />
      <DateField
        label={UI_WORDING.endDate}
        value={endDate}
        min={startDate}
        onChoose={(day) => list.setDates({ endDate: day })}
      />
    </div>
  )
}
