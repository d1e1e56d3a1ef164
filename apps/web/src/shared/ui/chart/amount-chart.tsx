import { scaleBand, scaleLinear } from 'd3-scale'
import { line, stack } from 'd3-shape'
import { type PointerEvent, useState } from 'react'
import { formatDate, shownDate } from '../../lib/date.ts'
import { UNKNOWN } from '../../lib/unknown.ts'
import { Amount, type Unit } from '../amount.tsx'
import {
  amountTicks,
  CHART_HEIGHT,
  ChartAxes,
  dateRoom,
  EDGE,
  useChartWidth,
} from './chart-axes.tsx'
import { rangeOf, shareScale } from './chart-range.ts'

export type Series = {
  name: string
  tone: 'dct' | 'usdt' | 'ink'
  /** A decimal string from the API for each day; null where it is unknown. */
  values: readonly (string | null)[]
}

type AmountChartProps = {
  title: string
  unit: Unit
  /** The first day of each period. */
  days: readonly string[]
  series: readonly Series[]
  /** Lines for daily balances; for amounts added in each period, bars that are stacked or stand in pairs. */
  shape: 'lines' | 'bars' | 'pairs'
  /** The label of the button that shows the same figures as a table. */
  tableLabel: string
  dayLabel: string
}

/**
 * Amounts over time. The legend shows the period under the pointer, otherwise the last one; a table shows all of them.
 * Lines of very different heights are drawn one below the other, each with a separate scale.
 */
export function AmountChart(props: AmountChartProps) {
  const { title, unit, days, series, shape } = props
  const [box, width] = useChartWidth()
  const [pointed, setPointed] = useState<number>()
  const marked = pointed !== undefined && pointed < days.length ? pointed : days.length - 1
  const plots = shape === 'lines' ? byScale(series) : [series]
  return (
    <figure className="chart">
      <figcaption className="chart__head">
        <h3>{title}</h3>
        <ul className="chart__legend">
          <li className="chart__day">{formatDate(days[marked] ?? '') ?? UNKNOWN}</li>
          {series.map(({ name, tone, values }) => (
            <li key={name} data-tone={tone}>
              {series.length > 1 && `${name}: `}
              <Amount value={values[marked]} unit={unit} />
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={box} className="chart__box">
        {plots.map((drawn) => (
          <Plot
            key={drawn.map(({ name }) => name).join()}
            days={days}
            shape={shape}
            series={drawn}
            width={width}
            pointed={pointed === undefined ? undefined : marked}
            onPoint={setPointed}
          />
        ))}
      </div>
      <FigureTable {...props} />
    </figure>
  )
}

/** Groups the series into plots: all in one if they can share a scale, or each in its own if one would look flat. */
function byScale(series: readonly Series[]): (readonly Series[])[] {
  const heights = series.map(({ values }) => Math.max(...values.map((value) => Number(value ?? 0))))
  return shareScale(heights) ? [series] : series.map((one) => [one])
}

type PlotProps = Pick<AmountChartProps, 'days' | 'series' | 'shape'> & {
  width: number
  /** The period under the pointer. */
  pointed: number | undefined
  onPoint(period: number | undefined): void
}

function Plot({ width, pointed, onPoint, ...drawn }: PlotProps) {
  const plot = plotOf(drawn, width)
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    onPoint(plot.indexAt(clientX - currentTarget.getBoundingClientRect().left))
  }
  return (
    <svg
      className="chart__svg"
      aria-hidden="true"
      width={width}
      height={CHART_HEIGHT}
      viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint(undefined)}
    >
      <ChartAxes amounts={plot.amounts} dates={plot.dates} width={width} />
      {pointed !== undefined && <path className="chart__pointed" d={plot.upright(pointed)} />}
      {drawn.shape === 'lines'
        ? plot.lines.map(({ name, tone, path }) => (
            <path key={name} className="chart__line" data-tone={tone} d={path} />
          ))
        : plot.bars.map(({ key, tone, ...bar }) => (
            <rect key={key} className="chart__bar" data-tone={tone} {...bar} />
          ))}
    </svg>
  )
}

/** Screen coordinates; only here do amounts become floating-point numbers. */
function plotOf(
  { days, series, shape }: Pick<AmountChartProps, 'days' | 'series' | 'shape'>,
  width: number,
) {
  const bottom = CHART_HEIGHT - EDGE.bottom
  const amounts = series.map(({ values }) => values.map((value) => Number(value ?? Number.NaN)))
  const known = amounts.map((one) => one.map((amount) => amount || 0))
  const heights =
    shape === 'bars'
      ? days.map((_, day) => known.reduce((sum, one) => sum + (one[day] ?? 0), 0))
      : known.flat()
  const x = scaleBand<number>()
    .domain(days.keys())
    .range([EDGE.left, width - EDGE.right])
    .paddingInner(0.3)
    .paddingOuter(0.15)
  const y = scaleLinear().domain(rangeOf(heights)).nice(4).range([bottom, EDGE.top])
  const centre = (day: number) => (x(day) ?? 0) + x.bandwidth() / 2
  const pathOf = line<number>()
    .defined((amount) => !Number.isNaN(amount))
    .x((_, day) => centre(day))
    .y((amount) => y(amount))
  const barWidth = shape === 'pairs' ? x.bandwidth() / series.length : x.bandwidth()
  const layers: readonly (readonly (readonly [number, number])[])[] =
    shape === 'pairs'
      ? known.map((one) => one.map((amount) => [0, amount] as const))
      : stack<number, number>()
          .keys(series.keys())
          .value((day, of) => known[of]?.[day] ?? 0)(days.keys())
          .map((layer) => layer.map(([from, to]) => [from, to] as const))
  const every = Math.ceil(days.length / dateRoom(width))
  return {
    amounts: amountTicks(y),
    dates: days.flatMap((day, at) =>
      at % every === 0 ? [{ at: centre(at), text: formatDate(day) ?? '' }] : [],
    ),
    indexAt: (left: number) =>
      Math.min(days.length - 1, Math.max(0, Math.floor((left - EDGE.left) / x.step()))),
    upright: (day: number) => `M${centre(day)} ${EDGE.top}V${bottom}`,
    lines: series.map(({ name, tone }, of) => ({
      name,
      tone,
      path: pathOf(amounts[of] ?? []) ?? '',
    })),
    bars: layers.flatMap((layer, of) =>
      layer.map(([from, to], day) => ({
        key: `${of} ${day}`,
        tone: series[of]?.tone,
        x: (x(day) ?? 0) + (shape === 'pairs' ? of * barWidth : 0),
        width: barWidth,
        y: y(to),
        height: y(from) - y(to),
      })),
    ),
  }
}

function FigureTable({ title, unit, days, series, tableLabel, dayLabel }: AmountChartProps) {
  return (
    <details>
      <summary>{tableLabel}</summary>
      <table className="chart__table">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{dayLabel}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {`${name} (${unit})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{shownDate(day)}</th>
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
  )
}
