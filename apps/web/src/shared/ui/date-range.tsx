import type { ListControls } from '../lib/use-list-params.ts'
import './date-range.css'

/** Start and end day of a list, both included. The labels are the product's. */
export function DateRange({ list }: { list: ListControls }) {
  const { startDate, endDate } = list.state
  return (
    <div className="date-range">
      <label className="field">
        <span className="field__label">Start Date</span>
        <input
          className="input"
          type="date"
          value={startDate}
          max={endDate || undefined}
          onChange={(event) => list.setDates({ startDate: event.target.value })}
        />
      </label>
      <label className="field">
        <span className="field__label">End Date</span>
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
