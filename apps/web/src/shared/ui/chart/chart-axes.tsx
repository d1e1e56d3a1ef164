import type { ScaleLinear } from 'd3-scale'
import { useEffect, useRef, useState } from 'react'
import { i18n } from '../../i18n/texts.ts'
import './chart.css'

export const CHART_HEIGHT = 220
/** The margins around the plot for the axis labels. */
export const EDGE = { top: 12, right: 12, bottom: 26, left: 72 }
const FIRST_WIDTH = 600
/** The width that a date label needs. */
const TICK_WIDTH = 110
const AMOUNT_TICKS = 4
const COMPACT_DIGITS = 3

export type Tick = { at: number; text: string }

/**
 * Grid lines at round amounts. An axis is read at a glance, so large numbers are abbreviated here and only here, but
 * never so far that two lines read the same.
 */
export function amountTicks(y: ScaleLinear<number, number>): Tick[] {
  const amounts = y.ticks(AMOUNT_TICKS)
  const short = tickFormat(amounts)
  return amounts.map((amount) => ({ at: y(amount), text: short.format(amount) }))
}

function tickFormat(amounts: readonly number[]): Intl.NumberFormat {
  const [first = 0, second = first] = amounts
  const highest = Math.max(...amounts, 0)
  const steps = second > first ? highest / (second - first) : 1
  const digits = Math.ceil(Math.log10(Math.max(steps, 1))) + 1
  return digits <= COMPACT_DIGITS
    ? new Intl.NumberFormat(i18n.locale, {
        notation: 'compact',
        maximumSignificantDigits: COMPACT_DIGITS,
      })
    : new Intl.NumberFormat(i18n.locale, { maximumSignificantDigits: digits })
}

/** How many date labels fit under a plot. */
export function dateRoom(width: number): number {
  return Math.max(1, Math.floor((width - EDGE.left - EDGE.right) / TICK_WIDTH))
}

type AxesProps = { amounts: readonly Tick[]; dates: readonly Tick[]; width: number }

export function ChartAxes({ amounts, dates, width }: AxesProps) {
  return (
    <g className="chart__axes">
      {amounts.map(({ at, text }) => (
        <g key={text}>
          <path d={`M${EDGE.left} ${at}H${width - EDGE.right}`} />
          <text x={EDGE.left - 8} y={at} dy="0.32em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {dates.map(({ at, text }) => (
        <text
          key={text}
          x={Math.min(Math.max(at, EDGE.left + TICK_WIDTH / 3), width - TICK_WIDTH / 3)}
          y={CHART_HEIGHT - 6}
          textAnchor="middle"
        >
          {text}
        </text>
      ))}
    </g>
  )
}

/** The available width, so that lines and text keep their size on every screen. */
export function useChartWidth() {
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
