import type { EarningPlan, QuotaReply } from '@dct/api-contract/plans'
import { formatUnits } from '@dct/money'
import { formatPercentage } from '@dct/rules/percentages'
import { maxTokenAllowed, remainingAnnual, remainingOf } from '@dct/rules/quota'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Plan } from './plans.queries.ts'
import { dayQuotasOf, totalsOf } from './quota.queries.ts'

export type DescribePlansDeps = { db: Db; clock: Clock; dctDecimals: number }
export type RemainingQuota = { daily: bigint; annual: bigint }

/** What is left of each plan's quota today and in total, by plan id; today never more than in total. */
export async function remainingQuotas(
  { db, clock }: { db: Db; clock: Clock },
  plans: readonly Plan[],
): Promise<Map<bigint, RemainingQuota>> {
  const day = businessDayOf(clock.now())
  const [days, totals] = await Promise.all([
    dayQuotasOf(db, plans, day),
    totalsOf(
      db,
      plans.map((plan) => plan.id),
    ),
  ])
  return new Map(
    plans.map((plan) => {
      const today = days.get(plan.id)
      const given = totals.get(plan.id) ?? { promised: 0n, reserved: 0n, poolFree: 0n }
      const annual = remainingAnnual({ totalReward: plan.totalReward, ...given })
      const ofDay = today === undefined ? 0n : remainingOf(today)
      return [plan.id, { daily: ofDay < annual ? ofDay : annual, annual }]
    }),
  )
}

/** Plans as the API shows them, in the given order. */
export async function describePlans(
  deps: DescribePlansDeps,
  plans: readonly Plan[],
): Promise<EarningPlan[]> {
  const remaining = await remainingQuotas(deps, plans)
  const dct = (base: bigint) => formatUnits(base, deps.dctDecimals)
  return plans.map((plan) => {
    const left = remaining.get(plan.id) ?? { daily: 0n, annual: 0n }
    return {
      plan_code: plan.code,
      name: plan.name,
      total_reward: dct(plan.totalReward),
      duration_days: plan.durationDays,
      total_percentage: formatPercentage(plan.rate),
      daily_limit: dct(plan.dailyLimit),
      max_token_allowed: dct(maxTokenAllowed(plan.totalReward, plan.rate)),
      remaining_daily_quota: dct(left.daily),
      remaining_daily_limit: dct(left.daily),
      remaining_annual_quota: dct(left.annual),
      is_accumulation_active: plan.accumulatingSince !== null,
      is_active: plan.isActive,
      chain_state: plan.chainState,
      created_at: plan.createdAt.toISOString(),
    }
  })
}

/** What is left of one plan's quota. */
export async function describeQuota(deps: DescribePlansDeps, plan: Plan): Promise<QuotaReply> {
  const left = (await remainingQuotas(deps, [plan])).get(plan.id) ?? { daily: 0n, annual: 0n }
  const daily = formatUnits(left.daily, deps.dctDecimals)
  return {
    plan_code: plan.code,
    business_date: businessDayOf(deps.clock.now()),
    remaining_daily_limit: daily,
    remaining_daily_quota: daily,
    remaining_annual_quota: formatUnits(left.annual, deps.dctDecimals),
  }
}
