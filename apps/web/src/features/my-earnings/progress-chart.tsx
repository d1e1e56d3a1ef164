import { scaleLinear, scaleUtc } from 'd3-scale'
import { area, curveStepAfter, line } from 'd3-shape'
import { useId } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import {
  amountTicks,
  CHART_HEIGHT,
  ChartAxes,
  dateRoom,
  EDGE,
  useChartWidth,
} from '../../shared/ui/chart/chart-axes.tsx'
import { earningsTexts } from './my-earnings.texts.ts'
import type { PictureBand, PicturePoint, ProgressPicture } from './progress-picture.ts'
import './progress-chart.css'

type ProgressChartProps = {
  picture: ProgressPicture
  label: string
  /** The next deadline, marked if it falls within the chart. */
  deadline: Date | undefined
}

/**
 * Lines for credited, claimed and expected rewards; bands for frozen and lost days. Adjacent text has the same content.
 */
export function ProgressChart({ picture, label, deadline }: ProgressChartProps) {
  const [box, width] = useChartWidth()
  const hatchId = useId()
  const plot = plotOf(picture, width)
  const marked = deadline && deadline <= dayStart(picture.lastDay) ? deadline : undefined
  return (
    <div ref={box} className="progress-chart">
      <svg
        className="chart__svg"
        role="img"
        aria-label={label}
        width={width}
        height={CHART_HEIGHT}
        viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
      >
        <defs>
          <pattern
            id={hatchId}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <path className="progress-chart__hatch" d="M0 0V6" />
          </pattern>
        </defs>
        {picture.frozen.map((band) => (
          <rect key={band.from} className="progress-chart__frozen" {...plot.band(band)} />
        ))}
        {picture.lost.map((band) => (
          <rect key={band.from} fill={`url(#${hatchId})`} {...plot.band(band)} />
        ))}
        <ChartAxes amounts={plot.amounts} dates={plot.dates} width={width} />
        {marked && <path className="progress-chart__deadline" d={plot.upright(marked)} />}
        <path className="progress-chart__area" d={plot.area(picture.credited) ?? ''} />
        <path className="progress-chart__coming" d={plot.line(picture.toCome) ?? ''} />
        <path className="progress-chart__claimed" d={plot.steps(picture.claimed) ?? ''} />
        <path className="progress-chart__credited" d={plot.line(picture.credited) ?? ''} />
      </svg>
      <Legend picture={picture} hasDeadline={marked !== undefined} />
    </div>
  )
}

function dayStart(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** Screen coordinates; only here do amounts become floating-point numbers. */
function plotOf(picture: ProgressPicture, width: number) {
  const right = width - EDGE.right
  const bottom = CHART_HEIGHT - EDGE.bottom
  const x = scaleUtc()
    .domain([dayStart(picture.firstDay), dayStart(picture.lastDay)])
    .range([EDGE.left, right])
  const y = scaleLinear()
    .domain([0, Number(picture.whole)])
    .range([bottom, EDGE.top])
  const placeX = ({ day }: PicturePoint) => x(dayStart(day))
  const placeY = ({ amount }: PicturePoint) => y(Number(amount))
  return {
    line: line<PicturePoint>(placeX, placeY),
    steps: line<PicturePoint>(placeX, placeY).curve(curveStepAfter),
    area: area<PicturePoint>(placeX, bottom, placeY),
    upright: (at: Date) => `M${x(at)} ${EDGE.top}V${bottom}`,
    band: ({ from, to }: PictureBand) => ({
      x: x(dayStart(from)),
      width: Math.max(2, x(dayStart(to)) - x(dayStart(from))),
      y: EDGE.top,
      height: bottom - EDGE.top,
    }),
    amounts: amountTicks(y),
    dates: x.ticks(dateRoom(width)).map((day) => ({
      at: x(day),
      text: formatDate(day.toISOString().slice(0, 10)) ?? '',
    })),
  }
}

function Legend({ picture, hasDeadline }: { picture: ProgressPicture; hasDeadline: boolean }) {
  const text = useTexts(earningsTexts)
  const entries = [
    { kind: 'credited', name: text('picCredited') },
    { kind: 'claimed', name: text('picClaimed') },
    ...(picture.toCome.length > 0 ? [{ kind: 'coming', name: text('picToCome') }] : []),
    ...(hasDeadline ? [{ kind: 'deadline', name: text('picDeadline') }] : []),
    ...(picture.frozen.length > 0 ? [{ kind: 'frozen', name: text('picFrozen') }] : []),
    ...(picture.lost.length > 0 ? [{ kind: 'lost', name: text('picLost') }] : []),
  ]
  return (
    <ul className="progress-chart__legend small soft" aria-hidden="true">
      {entries.map(({ kind, name }) => (
        <li key={kind} data-kind={kind}>
          {name}
        </li>
      ))}
    </ul>
  )
}
