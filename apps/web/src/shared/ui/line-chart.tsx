import { formatDate } from '../lib/date.ts'
import { compareDecimals, shareOf } from '../lib/decimal.ts'
import { UNKNOWN } from '../lib/unknown.ts'
import { Amount, type Unit } from './amount.tsx'
import './line-chart.css'

export type Series = {
  name: string
  tone: 'dct' | 'usdt' | 'ink'
  /** A decimal of the wire for each day; null where it is not known. */
  values: readonly (string | null)[]
}

type LineChartProps = {
  title: string
  unit: Unit
  days: readonly string[]
  series: readonly Series[]
  /** Opens the same figures as a table. */
  tableLabel: string
  dayLabel: string
}

const WIDTH = 600
const HEIGHT = 160

/** Amounts over days, drawn from 0 up. What is not known is a gap; the figures themselves stand in a table below. */
export function LineChart({ title, unit, days, series, tableLabel, dayLabel }: LineChartProps) {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const top = known.reduce((most, value) => (compareDecimals(value, most) > 0 ? value : most), '0')
  return (
    <figure className="line-chart">
      <figcaption className="line-chart__head">
        <h3>{title}</h3>
        <ul className="line-chart__legend">
          {series.map(({ name, tone, values }) => (
            <li key={name} data-tone={tone}>
              {name}: <Amount value={values.at(-1)} unit={unit} />
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        className="line-chart__plot"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {series.map(({ name, tone, values }) => (
          <path key={name} data-tone={tone} d={pathOf(values, top)} />
        ))}
      </svg>
      <p className="line-chart__ends" aria-hidden="true">
        <span>{formatDate(days[0] ?? '') ?? UNKNOWN}</span>
        <span>{formatDate(days.at(-1) ?? '') ?? UNKNOWN}</span>
      </p>
      <details>
        <summary>{tableLabel}</summary>
        <table className="line-chart__table">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{dayLabel}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{formatDate(day) ?? day}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>
                    <Amount value={values[index]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** A line through what is known; a day that stands alone is a dot. */
function pathOf(values: readonly (string | null)[], top: string): string {
  const step = WIDTH / Math.max(1, values.length - 1)
  let isDrawing = false
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const point = `${round(index * step)} ${round(HEIGHT * (1 - shareOf(value, top)))}`
      const drawn = isDrawing ? `L${point}` : `M${point}L${point}`
      isDrawing = true
      return drawn
    })
    .join('')
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
