/** A line that varies by less than this share of its height would look flat on a scale from 0. */
const FLAT_BELOW = 0.5
/** How much of the amount is shown around a line that doesn't vary at all. */
const MARGIN_OF_CONSTANT = 0.05

/** The amounts at the bottom and the top of a scale. */
export type Range = [bottom: number, top: number]

/** The scale of bars: from 0, because a bar's length is its amount. */
export function barRange(sums: readonly number[]): Range {
  return [0, Math.max(...sums) || 1]
}

/** The scale of lines: from 0, or from the lowest amount where the changes would not be seen from 0. NaN is unknown. */
export function lineRange(amounts: readonly number[]): Range {
  const known = amounts.filter((amount) => !Number.isNaN(amount))
  const top = Math.max(0, ...known)
  const bottom = Math.min(top, ...known)
  if (top - bottom >= top * FLAT_BELOW) return [0, top || 1]
  if (top > bottom) return [bottom, top]
  return [top * (1 - MARGIN_OF_CONSTANT), top * (1 + MARGIN_OF_CONSTANT)]
}

/** Next to a line more than this many times as high, a line cannot be distinguished from the bottom of the plot. */
const TOO_FAR_APART = 8

/** Whether lines of these heights can be read on one scale; heights of 0 always can. */
export function shareScale(heights: readonly number[]): boolean {
  const seen = heights.filter((height) => height > 0)
  return seen.length < 2 || Math.max(...seen) <= Math.min(...seen) * TOO_FAR_APART
}
