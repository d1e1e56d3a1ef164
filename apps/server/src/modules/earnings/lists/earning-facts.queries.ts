import { sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import { exemptDaysSince } from '../distribution/exemptions.queries.ts'

/** The facts from which an earning's state is derived. */
export type EarningFacts = {
  id: bigint
  startDay: BusinessDay
  freezeLimit: number
  claimedThrough: number
  hasOpenFee: boolean
  /** The last cycle that was run. */
  cycle: number
  /** Exempt cycles since the last claim. */
  exempt: number
  lapsed: bigint
  /** The part of `lapsed` since the last claim. */
  lapsedSinceClaim: bigint
  expiredAmount: bigint | null
  releaseAskedAt: Date | null
  releasedAt: Date | null
  releaseTx: Buffer | null
}

/** The facts of earnings, keyed by id. */
export async function readEarningFacts(
  db: ReadDb,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, EarningFacts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<EarningFacts>`
    with mine as materialized (select e.* from earning e where e.id in (${sql.join(ids)})),
    lost as materialized (
      select r.earning_id, sum(r.lapsed_amount) as lapsed,
        sum(r.lapsed_amount) filter (where r.cycle > m.claimed_through) as since
      from mine m join reward_row r on r.earning_id = m.id
      where r.earning_id in (${sql.join(ids)}) and r.lapsed_amount is not null group by r.earning_id)
    select e.id, e.start_day as "startDay", e.freeze_limit as "freezeLimit",
      e.claimed_through as "claimedThrough", e.has_open_fee as "hasOpenFee", k.cycle,
      e.own_exempt_days + ${exemptDaysSince(sql`(e.start_day + k.cycle)`)} as exempt,
      coalesce(l.lapsed, 0) + (
        select coalesce(sum(s.amount), 0) from reward_span s where s.earning_id = e.id and s.is_lapsed) as lapsed,
      coalesce(l.since, 0) as "lapsedSinceClaim",
      e.expired_amount as "expiredAmount", e.release_asked_at as "releaseAskedAt",
      e.released_at as "releasedAt", e.release_tx as "releaseTx"
    from mine e
      join distribution_cursor c on c.plan_id = e.plan_id
      cross join lateral (
        select greatest(0, least(e.cycles, c.through_day - e.start_day)) as cycle) k
      left join lost l on l.earning_id = e.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
