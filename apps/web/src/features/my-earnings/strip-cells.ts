import type { Earning } from '../../shared/api/earnings.api.ts'

/** The days before the freeze that are drawn as the last ones. */
const LAST_DAYS = 3
/** More cells than this cannot be told apart on a phone; each then stands for several days. */
const MOST_CELLS = 60

/** A day of the claim window: credited, credited today, still to come, one of the last, or past the limit. */
export type StripCell = 'credited' | 'today' | 'coming' | 'last' | 'over'

/** The cells of the claim window's strip, one for each cycle until the freeze. */
export function stripCells({
  reward_distribution_count: count,
  freeze_limit: limit,
}: Pick<Earning, 'reward_distribution_count' | 'freeze_limit'>): StripCell[] {
  const perCell = Math.ceil(limit / MOST_CELLS)
  const cells = Math.ceil(limit / perCell)
  return Array.from({ length: cells }, (_, index) => {
    const cycle = Math.min(limit, (index + 1) * perCell)
    if (count >= limit) return 'over'
    if (cycle < count) return 'credited'
    if (cycle - perCell < count) return 'today'
    return cycle > limit - LAST_DAYS ? 'last' : 'coming'
  })
}
