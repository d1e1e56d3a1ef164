import { UI_WORDING } from './ui.texts.ts'
import './date-range.css'

type Days = { startDate: string; endDate: string }
type DateRangeProps = { list: { state: Days; setDates(changed: Partial<Days>): void } }

/** A list's start and end day, both inclusive. */
export function DateRange({ list }: DateRangeProps) {
  const { startDate, endDate } = list.state
  return (
    <div className="date-range">
      <label className="field">
        <span className="field__label">{UI_WORDING.startDate}</span>
        <input
          className="input"
          type="date"
          value={startDate}
          max={endDate || undefined}
          onChange={(event) => list.setDates({ startDate: event.target.value })}
        />
      </label>
      <label className="field">
        <span className="field__label">{UI_WORDING.endDate}</span>
        <input
          className="input"
          type="date"
          value={endDate}
          min={startDate || undefined}
          onChange={(event) => list.setDates({ endDate: event.target.value })}
        />
      </label>
    </div>
  )
}
