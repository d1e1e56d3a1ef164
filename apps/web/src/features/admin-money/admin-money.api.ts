import type { MoneyHistoryReply, MoneyReply } from '@dct/api-contract/operations'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'

const REFRESH_MS = 30_000

export const moneyQueries = {
  now: queryOptions({
    queryKey: ['admin', 'money', 'now'] as const,
    queryFn: ({ signal }) => api.get<MoneyReply>('/admin/money', { signal }),
    refetchInterval: REFRESH_MS,
  }),
  history: (query: { days: number; plan_code?: string }) =>
    queryOptions({
      queryKey: ['admin', 'money', 'history', query] as const,
      queryFn: ({ signal }) =>
        api.get<MoneyHistoryReply>('/admin/money-history', { query, signal }),
      select: ({ days }) => days,
      placeholderData: keepPreviousData,
    }),
}
