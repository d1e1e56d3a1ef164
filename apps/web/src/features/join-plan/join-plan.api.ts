import type { UserEarningsReply } from '@dct/api-contract/earnings'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import type {
  EarningPlan,
  PlanListReply,
  PlansReply,
  QuotaReply,
  ReservationReply,
} from '@dct/api-contract/plans'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { firstPage } from '../../shared/api/wire.ts'
import { isFollowing } from '../../shared/lib/earning-status.ts'

const FIRST_PLANS = firstPage(LIST_ORDERS.plans)

export type JoinRecord = { plan_code: string; amount: string; trx_hash: string }

export const joinQueries = {
  all: ['join'] as const,
  /** The latest plans; if they do not fit on one page, all plans. */
  plans: () =>
    queryOptions({
      queryKey: [...joinQueries.all, 'plans'] as const,
      queryFn: async ({ signal }): Promise<EarningPlan[]> => {
        const first = await api.get<PlansReply>('/user/earning-plans', {
          query: FIRST_PLANS,
          signal,
        })
        if (first.total <= first.earning_plans.length) return first.earning_plans
        const all = await api.get<PlanListReply>('/user/earning-plan-lists', { signal })
        return all.earning_plans
      },
    }),
  /** Whether the user already follows this plan; it may have been joined on another device. */
  followed: (planCode: string) =>
    queryOptions({
      queryKey: [...joinQueries.all, 'followed', planCode] as const,
      queryFn: ({ signal }) => {
        const query = { ...FIRST_EARNINGS, earning_plan_code: planCode }
        return api.get<UserEarningsReply>('/user/earnings', { query, signal })
      },
      select: ({ earnings }) => isFollowing(earnings),
      enabled: planCode !== '',
      staleTime: 0,
    }),
  quota: (planCode: string) =>
    queryOptions({
      queryKey: [...joinQueries.all, 'quota', planCode] as const,
      queryFn: ({ signal }) => checkQuota(planCode, signal),
      enabled: planCode !== '',
      staleTime: 0,
    }),
}

/** Fetches a user's joins of a plan, those still waiting and those that failed included. */
export async function readJoins(planCode: string): Promise<UserEarningsReply['earnings']> {
  const query = { ...FIRST_EARNINGS, earning_plan_code: planCode }
  return (await api.get<UserEarningsReply>('/user/earnings', { query })).earnings
}

/** Fetches how much can be joined at the moment. */
export function checkQuota(planCode: string, signal?: AbortSignal): Promise<QuotaReply> {
  return api.get(`${planPath(planCode)}/check-quota`, signal ? { signal } : {})
}

/** Reserves quota while the wallet signs. */
export function reserveQuota(planCode: string, amount: string): Promise<ReservationReply> {
  return api.post(`${planPath(planCode)}/reserve`, { amount })
}

/** Records a lock that the chain has included. Repeated calls are harmless. */
export function recordJoin(join: JoinRecord): Promise<{ message: string }> {
  return api.post('/user/earnings', join)
}

function planPath(planCode: string): string {
  return `/user/earning-plans/${encodeURIComponent(planCode)}`
}
