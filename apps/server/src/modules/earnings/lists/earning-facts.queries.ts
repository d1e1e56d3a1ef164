import { sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { DbOrTx } from '../../../platform/db.ts'
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
  db: DbOrTx,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, EarningFacts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<EarningFacts>`
    select e.id, e.start_day as "startDay", e.freeze_limit as "freezeLimit",
      e.claimed_through as "claimedThrough", e.has_open_fee as "hasOpenFee", k.cycle,
      e.own_exempt_days + ${exemptDaysSince(sql`(e.start_day + k.cycle)`)} as exempt,
      l.lapsed, l.since as "lapsedSinceClaim", e.expired_amount as "expiredAmount",
      e.release_asked_at as "releaseAskedAt", e.released_at as "releasedAt", e.release_tx as "releaseTx"
    from earning e
      join distribution_cursor c on c.plan_id = e.plan_id
      cross join lateral (
        select greatest(0, least(e.cycles, c.through_day - e.start_day)) as cycle) k
      cross join lateral (
        select coalesce(sum(r.lapsed_amount), 0) as lapsed,
          coalesce(sum(r.lapsed_amount) filter (where r.cycle > e.claimed_through), 0) as since
        from reward_row r where r.earning_id = e.id and r.lapsed_amount is not null) l
    where e.id in (${sql.join(ids)})`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
