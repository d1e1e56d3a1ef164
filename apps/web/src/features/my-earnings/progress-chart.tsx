import { scaleLinear, scaleUtc } from 'd3-scale'
import { area, curveStepAfter, line } from 'd3-shape'
import { useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { earningsTexts } from './my-earnings.texts.ts'
import type { PictureBand, PicturePoint, ProgressPicture } from './progress-picture.ts'
import './progress-chart.css'

const HEIGHT = 220
const EDGE = { top: 12, right: 12, bottom: 26, left: 44 }
const FIRST_WIDTH = 600
/** Room that a date under the picture needs. */
const TICK_WIDTH = 110

type ProgressChartProps = {
  picture: ProgressPicture
  label: string
  /** The next deadline, marked where the picture reaches it. */
  deadline: Date | undefined
}

/** Lines for what was credited, claimed and is to come; bands for frozen and lost days. The words beside it say the same. */
export function ProgressChart({ picture, label, deadline }: ProgressChartProps) {
  const [box, width] = useWidth()
  const hatchId = useId()
  const plot = plotOf(picture, width)
  const marked = deadline && deadline <= dayStart(picture.lastDay) ? deadline : undefined
  return (
    <div ref={box} className="progress-chart">
      <svg
        className="progress-chart__svg"
        role="img"
        aria-label={label}
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
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
        <Axes plot={plot} width={width} />
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

type Plot = ReturnType<typeof plotOf>

/** Places on the screen; only here amounts become floating point numbers. */
function plotOf(picture: ProgressPicture, width: number) {
  const right = width - EDGE.right
  const bottom = HEIGHT - EDGE.bottom
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
    amounts: y.ticks(4).map((amount) => ({ at: y(amount), text: String(amount) })),
    days: x.ticks(Math.max(1, Math.floor((right - EDGE.left) / TICK_WIDTH))).map((day) => ({
      at: x(day),
      text: formatDate(day.toISOString().slice(0, 10)) ?? '',
    })),
  }
}

function Axes({ plot, width }: { plot: Plot; width: number }) {
  return (
    <g className="progress-chart__axes">
      {plot.amounts.map(({ at, text }) => (
        <g key={text}>
          <path d={`M${EDGE.left} ${at}H${width - EDGE.right}`} />
          <text x={EDGE.left - 8} y={at} dy="0.32em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {plot.days.map(({ at, text }) => (
        <text
          key={text}
          x={Math.min(Math.max(at, EDGE.left + TICK_WIDTH / 3), width - TICK_WIDTH / 3)}
          y={HEIGHT - 6}
          textAnchor="middle"
        >
          {text}
        </text>
      ))}
    </g>
  )
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

/** The width that there is, so that lines and letters keep their size on every screen. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useEffect(() => {
    if (!box.current) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
