import { sql } from 'kysely'
import type { BusinessDay } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { PLAN_COLUMNS, type Plan, readPlan } from './plans.queries.ts'
import { own } from './plans.tables.ts'
import { DAY_COLUMNS, type DatedQuota } from './quota.queries.ts'

/** The state of a plan that is needed to book a stake. */
export type BookingState = {
  plan: Plan
  /** The staker's live reservation in the plan, expired or not. */
  reservation: { id: bigint; reward: bigint } | undefined
  /** The day whose quota the stake uses: that of the reservation, else that of the stake. */
  day: BusinessDay
  /** The latest stored day up to and including `day`. */
  latest: DatedQuota | undefined
  hasLaterDays: boolean
}

/** Reads everything in one statement; undefined when there is no such plan. The caller holds the plan's lock. */
export async function readBookingState(
  tx: Tx,
  stake: { planCode: string; userId: bigint | undefined; day: BusinessDay },
): Promise<BookingState | undefined> {
  const day = sql<string>`coalesce(r.day, ${stake.day}::date)`
  const row = await own(tx)
    .selectFrom('earning_plan')
    .leftJoin('reservation as r', (join) =>
      join
        .onRef('r.plan_id', '=', 'earning_plan.id')
        .on('r.user_id', '=', stake.userId ?? null)
        .on('r.state', '=', sql.lit('live')),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('plan_day')
          .select(DAY_COLUMNS)
          .whereRef('plan_id', '=', 'earning_plan.id')
          .where('day', '<=', day)
          .orderBy('day', 'desc')
          .limit(1)
          .as('d'),
      (join) => join.onTrue(),
    )
    .select(PLAN_COLUMNS)
    .select(['r.id as reservationId', 'r.reward as reservedReward', day.as('ownDay')])
    .select(['d.day', 'd.limit', 'd.carry', 'd.promised', 'd.reserved'])
    .select(
      sql<boolean>`exists (
      select from plan_day l where l.plan_id = earning_plan.id and l.day > ${day})`.as('hasLater'),
    )
    .where('earning_plan.code', '=', stake.planCode)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    plan: readPlan(row),
    reservation:
      row.reservationId === null || row.reservedReward === null
        ? undefined
        : { id: row.reservationId, reward: row.reservedReward },
    day: row.ownDay as BusinessDay,
    latest: row.day === null ? undefined : ({ ...row, day: row.day as BusinessDay } as DatedQuota),
    hasLaterDays: row.hasLater,
  }
}
