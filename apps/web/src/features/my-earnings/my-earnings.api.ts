import type { ClaimHistoryReply, EarningProgress } from '@dct/api-contract/claims'
import type { RequestClaimReply, RewardsReply } from '@dct/api-contract/earnings'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { type Earning, earningsQueries } from '../../shared/api/earnings.api.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'

export const historyQueries = {
  all: ['history'] as const,
  rewards: (query: ListQuery & { earning_plan_code: string }) =>
    queryOptions({
      queryKey: [...historyQueries.all, 'rewards', query] as const,
      queryFn: ({ signal }) =>
        api.get<RewardsReply>('/user/reward-distribution-history', { query, signal }),
      select: ({ rewards: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  claims: (query: ListQuery & { plan_code: string }) =>
    queryOptions({
      queryKey: [...historyQueries.all, 'claims', query] as const,
      queryFn: ({ signal }) => api.get<ClaimHistoryReply>('/user/claim-history', { query, signal }),
      select: ({ claims: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
}

/** The query of an earning's progress; refetched with every cycle and every change of its freeze. */
export function progressQuery(earning: Earning) {
  const { earning_plan_code: planCode, distributed_cycles, freeze_reason } = earning
  const path = `/user/earnings/${encodeURIComponent(planCode)}/progress`
  return queryOptions({
    queryKey: [...earningsQueries.all, 'progress', planCode, distributed_cycles, freeze_reason],
    queryFn: ({ signal }) => api.get<EarningProgress>(path, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Requests the release of an ended earning's locked tokens. */
export function useClaimCapital() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (planCode: string) =>
      api.post<RequestClaimReply>('/user/request-claim', { earning_plan_code: planCode }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: earningsQueries.all }),
  })
}
