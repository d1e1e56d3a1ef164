/**
 * A measured figure. `noise` is the share by which it differs between two runs of the same code; a greater difference
 * is a change. `isRelative`: it can be compared across machines, as can counts and ratios to a baseline of the same
 * run.
 */
export type Figure = {
  value: number
  text: string
  wanted: 'more' | 'less'
  noise: number
  isRelative: boolean
}

type Facts = {
  wanted: Figure['wanted']
  /** Decimals; 2 for ratios, none for others. */
  digits?: number
  /** Shown after the number. */
  note?: string
}

/** Times of single calls are affected most by other load on the machine. */
const NOISE = { ratio: 0.25, count: 0.03, speed: 0.35, latency: 0.6, megabytes: 0.1 }

/** A share of, or a multiple of, a baseline of the same run. */
export const ratio = (value: number, facts: Facts): Figure =>
  figure(value, { digits: 2, ...facts }, { noise: NOISE.ratio, isRelative: true })

/** A number of statements or failures, which is the same every time for the same work. */
export const count = (value: number, facts: Facts): Figure =>
  figure(value, facts, { noise: NOISE.count, isRelative: true })

/** Bytes that some work writes; they vary with the pages that it happens to touch. */
export const bytes = (value: number): Figure =>
  figure(value, { wanted: 'less' }, { noise: NOISE.ratio, isRelative: true })

/** How often something was done in a second. */
export const speed = (value: number, note?: string): Figure =>
  figure(
    value,
    { wanted: 'more', ...(note && { note }) },
    { noise: NOISE.speed, isRelative: false },
  )

/** A time, in the unit that the figure's name states. */
export const duration = (value: number, digits = 0): Figure =>
  figure(value, { wanted: 'less', digits }, { noise: NOISE.speed, isRelative: false })

/** The median and the 99th percentile of many times; only medians are compared. */
export function latency({ p50, p99 }: { p50: number; p99: number }, note = ''): Figure {
  const text = `${p50.toFixed(1)} / ${p99.toFixed(1)}${note}`
  return { value: p50, text, wanted: 'less', noise: NOISE.latency, isRelative: false }
}

/** The share of a core, from 0 to 1, shown in percent. */
export const share = (value: number): Figure =>
  figure(value * 100, { wanted: 'less', digits: 1 }, { noise: NOISE.speed, isRelative: false })

/** Memory in megabytes. */
export const megabytes = (value: number): Figure =>
  figure(value, { wanted: 'less', digits: 1 }, { noise: NOISE.megabytes, isRelative: false })

function figure(
  value: number,
  { wanted, digits = 0, note = '' }: Facts,
  kind: Pick<Figure, 'noise' | 'isRelative'>,
): Figure {
  return { value, text: `${value.toFixed(digits)}${note}`, wanted, ...kind }
}
