import type { RewardSort } from '@dct/api-contract/earnings'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../platform/db.ts'
import { type DayRange, likePattern, offsetOf, type Paging } from '../../../platform/lists.ts'
import { shownAmount } from '../../../platform/shown-text.ts'

/** One cycle of an earning, with the details of its stake that lists show. */
export type RewardRecordRow = {
  day: string
  planCode: string
  staker: Buffer
  locked: bigint
  cycle: number
  amount: bigint
  lapsed: bigint | null
  isCounted: boolean
}

/** The columns of `RewardRecordRow`, for queries in which the earning is called `e` and the cycle `r`. */
export const REWARD_COLUMNS = sql`
  r.day, e.plan_code as "planCode", e.staker, e.amount as locked, r.cycle, r.amount,
  r.lapsed_amount as lapsed,
  not exists (select from exempt_day x where x.day = r.day)
    and not exists (select from earning_exemption o where o.earning_id = e.id and o.day = r.day)
    as "isCounted"`

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

/** One page of a holder's cycles. The search text matches part of what their rows show: plan, cycle, day or amount. */
export async function findHolderRewards(
  db: DbOrTx,
  query: HolderRewardsQuery,
): Promise<{ rows: RewardRecordRow[]; total: number }> {
  const { staker, planCode, search, range } = query
  const pattern = likePattern(search?.trim() ?? '')
  const direction = sql.raw(query.direction)
  const amount = sql`greatest(r.amount, coalesce(r.lapsed_amount, 0))`
  const matching = sql`
    from earning e join reward_row r on r.earning_id = e.id
      and r.day > e.start_day and r.day <= e.start_day + e.cycles
    where e.staker = ${staker}
      and (${planCode ?? null}::text is null or e.plan_code = ${planCode ?? null})
      and r.day >= ${range.from ?? '-infinity'}::date and r.day <= ${range.to ?? 'infinity'}::date
      and (e.plan_code ilike ${pattern} or r.day::text like ${pattern}
        or formatted_day(r.day) ilike ${pattern} or 'cycle ' || r.cycle ilike ${pattern}
        or ${shownAmount(amount, query.dctDecimals)} like ${pattern})`
  const page = sql<RewardRecordRow>`
    select ${REWARD_COLUMNS} ${matching}
    order by ${SORTS[query.sort]} ${direction}, r.day ${direction}, e.plan_code
    limit ${query.limit} offset ${offsetOf(query)}`
  const count = sql<{ total: bigint }>`select count(*) as total ${matching}`
  const [found, counted] = await Promise.all([page.execute(db), count.execute(db)])
  return { rows: found.rows, total: Number(counted.rows[0]?.total ?? 0n) }
}
