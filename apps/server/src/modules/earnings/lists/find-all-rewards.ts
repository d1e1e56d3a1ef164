import type { AdminRewardSort } from '@dct/api-contract/earnings'
import type { ReadDb } from '../../../platform/database/db.ts'
import { MAX_COUNTED, offsetOf, type Paging } from '../../../platform/http/lists.ts'
import * as q from './all-rewards.queries.ts'
import type { RewardRecordRow } from './reward-rows.queries.ts'

export type AllRewardsQuery = Paging & { sort: AdminRewardSort; direction: 'asc' | 'desc' }
export type FoundRewards = { rows: RewardRecordRow[]; total: number; isCapped: boolean }

/** Up to this many earnings, all their rows can be sorted. */
const FEW_EARNINGS = 200

/** One page of all holders' cycles; `all-rewards.queries.ts` explains how it is found among so many. */
export async function findAllRewards(
  db: ReadDb,
  scope: q.RewardsScope,
  query: AllRewardsQuery,
): Promise<FoundRewards> {
  const window = { offset: offsetOf(query), limit: query.limit, direction: query.direction }
  const isSearched = scope.search.kind === 'stakes'
  const ofFew = isSearched ? await q.countOfFew(db, scope, FEW_EARNINGS) : undefined
  if (ofFew !== undefined) {
    const rows = await q.rowsOfFew(db, scope, { ...window, sort: query.sort })
    return { rows, total: ofFew, isCapped: false }
  }
  const found = isSearched ? await q.countOfEarnings(db, scope, MAX_COUNTED) : undefined
  // So many that almost every day has rows: the first of them are found soon, and counting all would take longer.
  const isDense = found?.isCapped === true
  const { sort } = query
  const days =
    found === undefined || isDense || sort !== 'reward_date'
      ? await q.countByDay(db, scope, query.direction)
      : await q.countFoundByDay(db, scope, query.direction)
  const rows =
    sort === 'reward_date'
      ? await rowsByDay(db, scope, { ...window, days, isDense })
      : await rowsByEarning(db, scope, { ...window, sort, isSearched, days })
  return { rows, ...(found ?? { total: totalOf(days), isCapped: false }) }
}

type DayWindow = {
  offset: number
  limit: number
  days: readonly q.DayCount[]
}

/** Collects the page's rows by walking through the days. */
async function rowsByDay(
  db: ReadDb,
  scope: q.RewardsScope,
  window: DayWindow & {
    /** Whether to count rows day by day: the counts of all earnings do not apply to a search. */
    isDense: boolean
  },
): Promise<RewardRecordRow[]> {
  const { offset, limit, days, isDense } = window
  const rows: RewardRecordRow[] = []
  let skipped = offset
  for (const { day, rowCount } of days) {
    if (rows.length === limit) break
    const count = isDense ? await q.countOfDay(db, scope, day) : rowCount
    if (skipped >= count) {
      skipped -= count
      continue
    }
    const part = { offset: skipped, limit: limit - rows.length }
    rows.push(...(await q.rowsOfDay(db, scope, day, part)))
    skipped = 0
  }
  return rows
}

async function rowsByEarning(
  db: ReadDb,
  scope: q.RewardsScope,
  window: DayWindow &
    Pick<AllRewardsQuery, 'direction'> & {
      sort: Exclude<AdminRewardSort, 'reward_date'>
      /** Whether stored counts do not apply. */
      isSearched: boolean
    },
): Promise<RewardRecordRow[]> {
  const end = window.offset + window.limit
  const rows: RewardRecordRow[] = []
  for (const share of await earningsOfPage(db, scope, window)) {
    const before = Number(share.before)
    const skip = Math.max(0, window.offset - before)
    const take = Math.min(share.count, end - before) - skip
    rows.push(...(await q.rowsOfEarning(db, scope, { id: share.id, skip, take })))
  }
  return rows
}

async function earningsOfPage(
  db: ReadDb,
  scope: q.RewardsScope,
  window: Parameters<typeof rowsByEarning>[2],
): Promise<q.EarningShare[]> {
  if (window.sort === 'earning_plan_code' && !window.isSearched) {
    return q.earningsOfPageByPlan(db, scope, window)
  }
  const stakes = await q.countStakes(db, scope)
  const rowsPerEarning = totalOf(window.days) / Math.max(1, stakes)
  return q.earningsOfPage(db, scope, { ...window, rowsPerEarning })
}

const totalOf = (days: readonly q.DayCount[]) =>
  days.reduce((sum, { rowCount }) => sum + rowCount, 0)
