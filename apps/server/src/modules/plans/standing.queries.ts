import { sql } from 'kysely'
import type { BusinessDay } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { PLAN_COLUMNS, type Plan, readPlan } from './plans.queries.ts'
import { DAY_COLUMNS, type DatedQuota } from './quota.queries.ts'

/** How a plan stands for a stake that is to be booked. */
export type Standing = {
  plan: Plan
  /** The place that the staker holds in the plan, over time or not. */
  place: { id: bigint; reward: bigint } | undefined
  /** The day whose quota the stake counts on: the place's, else the stake's own. */
  day: BusinessDay
  /** The latest day that is not after it. */
  latest: DatedQuota | undefined
  hasLaterDays: boolean
}

/** Reads all of it in one statement. The caller holds the plan's lock. */
export async function readStanding(
  tx: Tx,
  stake: { planId: bigint; userId: bigint | undefined; day: BusinessDay },
): Promise<Standing> {
  const day = sql<string>`coalesce(r.day, ${stake.day}::date)`
  const row = await tx
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
    .select(['r.id as placeId', 'r.reward as placeReward', day.as('ownDay')])
    .select(['d.day', 'd.limit', 'd.carry', 'd.promised', 'd.reserved'])
    .select(
      sql<boolean>`exists (
      select from plan_day l where l.plan_id = earning_plan.id and l.day > ${day})`.as('hasLater'),
    )
    .where('earning_plan.id', '=', stake.planId)
    .executeTakeFirstOrThrow()
  return {
    plan: readPlan(row),
    place:
      row.placeId === null || row.placeReward === null
        ? undefined
        : { id: row.placeId, reward: row.placeReward },
    day: row.ownDay as BusinessDay,
    latest: row.day === null ? undefined : ({ ...row, day: row.day as BusinessDay } as DatedQuota),
    hasLaterDays: row.hasLater,
  }
}
