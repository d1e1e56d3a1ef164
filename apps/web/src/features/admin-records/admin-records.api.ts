import type { AdminClaimHistoryReply } from '@dct/api-contract/claims'
import type { AdminRewardsReply, TransactionsReply } from '@dct/api-contract/earnings'
import type { PlanListReply } from '@dct/api-contract/plans'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'

type PlanQuery = ListQuery & { earning_plan_code?: string }

export const recordQueries = {
  transactions: (query: ListQuery) =>
    queryOptions({
      queryKey: ['admin', 'transactions', query] as const,
      queryFn: ({ signal }) => api.get<TransactionsReply>('/admin/transactions', { query, signal }),
      select: ({ transactions: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  rewards: (query: PlanQuery) =>
    queryOptions({
      queryKey: ['admin', 'rewards', query] as const,
      queryFn: ({ signal }) =>
        api.get<AdminRewardsReply>('/admin/reward-distribution-history', { query, signal }),
      select: ({ rewards: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  claims: (query: PlanQuery) =>
    queryOptions({
      queryKey: ['admin', 'claims', query] as const,
      queryFn: ({ signal }) =>
        api.get<AdminClaimHistoryReply>('/admin/claim-history', { query, signal }),
      select: ({ claims: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  /** All plan codes, for the filter. */
  planCodes: queryOptions({
    queryKey: ['admin', 'plan-codes'] as const,
    queryFn: ({ signal }) => api.get<PlanListReply>('/user/earning-plan-lists', { signal }),
    select: ({ earning_plans }) => earning_plans.map(({ plan_code }) => plan_code).toSorted(),
  }),
}
