import type { RewardSort } from '@dct/api-contract/earnings'
import { LAPSED_CYCLE_WORD } from '@dct/api-contract/searched-words'
import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import { type DayRange, likePattern, offsetOf, type Paging } from '../../../platform/http/lists.ts'
import { showsAmount, showsWord } from '../../../platform/shown-text.ts'
import { joinCycles } from './join-cycles.ts'

/** One cycle of an earning, with the details of its stake that lists show. */
export type RewardRecordRow = {
  day: BusinessDay
  planCode: string
  staker: Buffer
  locked: bigint
  cycle: number
  amount: bigint
  lapsed: bigint | null
  isCounted: boolean
}

/**
 * The query for the records of cycles `r` and their earnings `e`.
 * @param found the query after the column list, ending with `offset`: the rows are found before their exemptions are
 * looked up
 */
export function rewardRecords(found: RawBuilder<unknown>): RawBuilder<RewardRecordRow> {
  return sql`
    select f.day, f."planCode", f.staker, f.locked, f.cycle, f.amount, f.lapsed,
      not exists (select from exempt_day x where x.day = f.day)
        and not exists (select from earning_exemption o where o.earning_id = f.id and o.day = f.day)
        as "isCounted"
    from (
      select r.day, e.plan_code as "planCode", e.staker, e.amount as locked, r.cycle, r.amount,
        r.lapsed_amount as lapsed, e.id
      ${found}) f`
}

export type HolderRewardsQuery = Paging & {
  staker: Buffer
  planCode?: string | undefined
  search?: string | undefined
  dctDecimals: number
  range: DayRange
  sort: RewardSort
  direction: 'asc' | 'desc'
}

const SORTS: Readonly<Record<RewardSort, RawBuilder<unknown>>> = {
  reward_date: sql`r.day`,
  earning_plan_code: sql`e.plan_code`,
  reward_amount: sql`r.amount`,
}

/**
 * One page of a holder's cycles. The search text matches part of what their rows show: plan, cycle, day, amount, or that
 * it has lapsed.
 */
export async function findHolderRewards(
  db: ReadDb,
  query: HolderRewardsQuery,
): Promise<{ rows: RewardRecordRow[]; total: number }> {
  const { staker, planCode, search, range } = query
  const text = search?.trim() ?? ''
  const pattern = likePattern(text)
  const direction = sql.raw(query.direction)
  const amount = sql`greatest(r.amount, coalesce(r.lapsed_amount, 0))`
  const matching = sql`
    from earning e ${joinCycles(range)}
    where e.staker = ${staker}
      and (${planCode ?? null}::text is null or e.plan_code = ${planCode ?? null})
      and (e.plan_code ilike ${pattern} or r.day::text like ${pattern}
        or formatted_day(r.day) ilike ${pattern} or 'cycle ' || r.cycle ilike ${pattern}
        or (${showsWord(LAPSED_CYCLE_WORD, text)}::boolean and r.lapsed_amount > 0)
        or ${showsAmount(amount, { decimals: query.dctDecimals, search: text })})`
  const page = rewardRecords(sql`
    ${matching} order by ${SORTS[query.sort]} ${direction}, r.day ${direction}, e.plan_code
    limit ${query.limit} offset ${offsetOf(query)}`)
  const count = sql<{ total: bigint }>`select count(*) as total ${matching}`
  const [found, counted] = await Promise.all([page.execute(db), count.execute(db)])
  return { rows: found.rows, total: Number(counted.rows[0]?.total ?? 0n) }
}
