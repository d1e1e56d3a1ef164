import { carryFrom, type DayQuota } from '@dct/rules/quota'
import { sql } from 'kysely'
import { type BusinessDay, daysBetween } from '../../platform/clock.ts'
import { type DbOrTx, type Tx, unread } from '../../platform/database/db.ts'
import type { Plan } from './plans.queries.ts'
import { own } from './plans.tables.ts'

/** How much of a plan's total reward is promised and reserved, and the free funds in its contract. */
export type PlanTotals = { promised: bigint; reserved: bigint; poolFree: bigint }
export type DatedQuota = DayQuota & { day: BusinessDay }
type CarryFacts = Pick<Plan, 'id' | 'dailyLimit' | 'accumulatingSince'>

export const DAY_COLUMNS = ['day', 'limit_base as limit', 'carry', 'promised', 'reserved'] as const

/**
 * Locks the quotas of plans until commit, always in the same order. All changes of quotas require this lock; read them
 * after it.
 */
export async function lockQuotas(tx: Tx, planIds: readonly bigint[]): Promise<void> {
  await own(tx)
    .selectFrom('plan_total')
    .select('plan_id')
    .where('plan_id', 'in', planIds)
    .orderBy('plan_id')
    .forUpdate()
    .execute()
}

/** Locks the quota of one plan, by its code. @returns false if there is no such plan */
export async function lockQuotaOf(tx: Tx, planCode: string): Promise<boolean> {
  const locked = await own(tx)
    .selectFrom('plan_total as t')
    .innerJoin('earning_plan as p', 'p.id', 't.plan_id')
    .select('t.plan_id')
    .where('p.code', '=', planCode)
    .forUpdate('t')
    .executeTakeFirst()
  return locked !== undefined
}

export async function totalsOf(
  db: DbOrTx,
  planIds: readonly bigint[],
): Promise<Map<bigint, PlanTotals>> {
  if (planIds.length === 0) return new Map()
  const rows = await own(db)
    .selectFrom('plan_total as t')
    .innerJoin('earning_plan as p', 'p.id', 't.plan_id')
    .leftJoin('plan_pool as pool', 'pool.plan_code', 'p.code')
    .select(['t.plan_id', 't.promised', 't.reserved', 'pool.free'])
    .where('t.plan_id', 'in', planIds)
    .execute()
  return new Map(
    rows.map(({ plan_id, promised, reserved, free }) => [
      plan_id,
      { promised, reserved, poolFree: free ?? 0n },
    ]),
  )
}

/** The quota of a day, by plan id: as stored, or as it would begin. Changes nothing. */
export async function dayQuotasOf(
  db: DbOrTx,
  plans: readonly CarryFacts[],
  day: BusinessDay,
): Promise<Map<bigint, DayQuota>> {
  if (plans.length === 0) return new Map()
  const ids = plans.map((plan) => plan.id)
  const rows = await own(db)
    .selectFrom('plan_day')
    .distinctOn('plan_id')
    .select(['plan_id', ...DAY_COLUMNS])
    .where('plan_id', 'in', ids)
    .where('day', '<=', day)
    .orderBy('plan_id')
    .orderBy('day', 'desc')
    .execute()
  const latest = new Map(rows.map((row) => [row.plan_id, { ...row, day: row.day as BusinessDay }]))
  return new Map(
    plans.map((plan) => {
      const found = latest.get(plan.id)
      return [plan.id, found?.day === day ? found : beginDay(plan, found, day)]
    }),
  )
}

/** Makes sure that a day has its row. The caller holds the plan's lock. */
export async function openDay(tx: Tx, plan: CarryFacts, day: BusinessDay): Promise<DayQuota> {
  return openDayAfter(tx, plan, { latest: await latestDay(tx, plan.id, day), day })
}

/** Like `openDay`, for callers that already know the latest day up to and including `day`. */
export async function openDayAfter(
  tx: Tx,
  plan: CarryFacts,
  { latest, day }: { latest: DatedQuota | undefined; day: BusinessDay },
): Promise<DayQuota> {
  if (latest?.day === day) return latest
  const begun = beginDay(plan, latest, day)
  await own(tx)
    .insertInto('plan_day')
    .values({ plan_id: plan.id, day, limit_base: begun.limit, carry: begun.carry })
    .execute()
  return begun
}

/** The latest stored day up to and including `day`. */
async function latestDay(
  db: DbOrTx,
  planId: bigint,
  day: BusinessDay,
): Promise<DatedQuota | undefined> {
  const row = await own(db)
    .selectFrom('plan_day')
    .select(DAY_COLUMNS)
    .where('plan_id', '=', planId)
    .where('day', '<=', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : (row as DatedQuota)
}

/**
 * The quota with which a day begins: the limit of the previous stored day, and its unused quota if the carry-over was
 * on by then.
 */
function beginDay(plan: CarryFacts, before: DatedQuota | undefined, day: BusinessDay): DayQuota {
  const { accumulatingSince, dailyLimit } = plan
  const isCarried =
    before !== undefined && accumulatingSince !== null && before.day >= accumulatingSince
  return {
    limit: before?.limit ?? dailyLimit,
    carry: isCarried ? carryFrom(before, daysBetween(before.day, day) - 1) : 0n,
    promised: 0n,
    reserved: 0n,
  }
}

/** Recalculates the carry-over of all days after `from`. The caller holds the plan's lock. */
export async function recomputeCarryAfter(
  tx: Tx,
  plan: CarryFacts,
  from: BusinessDay,
): Promise<void> {
  const rows = await own(tx)
    .selectFrom('plan_day')
    .select(DAY_COLUMNS)
    .where('plan_id', '=', plan.id)
    .where('day', '>=', from)
    .orderBy('day')
    .execute()
  const [first, ...later] = rows as DatedQuota[]
  let before = first
  for (const row of later) {
    const { carry } = beginDay(plan, before, row.day)
    if (carry !== row.carry) await setDay(tx, { planId: plan.id, day: row.day, carry })
    before = { ...row, carry }
  }
}

export async function setDay(
  tx: Tx,
  change: { planId: bigint; day: BusinessDay; carry: bigint; limit?: bigint },
): Promise<void> {
  await own(tx)
    .updateTable('plan_day')
    .set({
      carry: change.carry,
      ...(change.limit === undefined ? {} : { limit_base: change.limit }),
    })
    .where('plan_id', '=', change.planId)
    .where('day', '=', change.day)
    .execute()
}

export type QuotaShare = { planId: bigint; day: BusinessDay; reward: bigint }

/**
 * Reserves a share of the quota.
 * @returns false if the day or the plan has too little left; the caller must then roll back, because one of the two may
 * have been changed
 */
export async function takeQuota(tx: Tx, share: QuotaShare): Promise<boolean> {
  const ofDay = await sql`
    update plan_day set reserved = reserved + ${share.reward}
      where plan_id = ${share.planId} and day = ${share.day}
        and limit_base + carry - promised - reserved >= ${share.reward}`.execute(tx)
  const ofPlan = await sql`
    update plan_total set reserved = plan_total.reserved + ${share.reward}
      from earning_plan p left join plan_pool pool on pool.plan_code = p.code
      where plan_id = ${share.planId} and p.id = plan_id
        and least(p.total_reward - plan_total.promised, coalesce(pool.free, 0))
          - plan_total.reserved >= ${share.reward}`.execute(tx)
  return ofDay.numAffectedRows === 1n && ofPlan.numAffectedRows === 1n
}

/** Returns a reserved share to the quota. */
export async function returnPlace(tx: Tx, share: QuotaShare): Promise<void> {
  await moveQuota(tx, { ...share, promised: 0n, reserved: -share.reward })
}

/** Adds to what a day and its plan have promised and reserved; negative numbers subtract. */
export async function moveQuota(
  tx: Tx,
  move: { planId: bigint; day: BusinessDay; promised: bigint; reserved: bigint },
): Promise<void> {
  await unread(
    tx,
    sql`
    with of_day as (
      update plan_day set promised = promised + ${move.promised}, reserved = reserved + ${move.reserved}
        where plan_id = ${move.planId} and day = ${move.day})
    update plan_total set promised = promised + ${move.promised}, reserved = reserved + ${move.reserved}
      where plan_id = ${move.planId}`,
  )
}
