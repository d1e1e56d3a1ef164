/** The amounts at the bottom and the top of a scale. */
export type Range = [bottom: number, top: number]

/**
 * The scale of a chart: from 0, because a line or bar is read by its height, and a change of 3 in 20,000 is none to be
 * alarmed about. NaN is unknown.
 */
export function rangeOf(amounts: readonly number[]): Range {
  return [0, Math.max(0, ...amounts.filter((amount) => !Number.isNaN(amount))) || 1]
}

/** Next to a line more than this many times as high, a line cannot be distinguished from the bottom of the plot. */
const TOO_FAR_APART = 8

/** Whether lines of these heights can be read on one scale; heights of 0 always can. */
export function shareScale(heights: readonly number[]): boolean {
  const seen = heights.filter((height) => height > 0)
  return seen.length < 2 || Math.max(...seen) <= Math.min(...seen) * TOO_FAR_APART
}
