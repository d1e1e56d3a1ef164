import type {
  PriceHistoryReply,
  PriceReply,
  SetPriceBody,
  SetPriceReply,
} from '@dct/api-contract/pricing'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const REFRESH_MS = 30_000

export const priceQueries = {
  all: ['admin', 'price'] as const,
  now: queryOptions({
    queryKey: ['admin', 'price', 'now'] as const,
    queryFn: ({ signal }) => api.get<PriceReply>('/admin/price', { signal }),
    refetchInterval: REFRESH_MS,
  }),
  history: (query: ListQuery) =>
    queryOptions({
      queryKey: ['admin', 'price', 'history', query] as const,
      queryFn: ({ signal }) =>
        api.get<PriceHistoryReply>('/admin/price-history', { query, signal }),
      select: ({ prices: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
}

/** Sets the price, or proposes it if the step is large and needs another admin's confirmation. */
export function useSetPrice() {
  return useRefreshingAction(priceQueries.all, (body: SetPriceBody) =>
    api.post<SetPriceReply>('/admin/price', body),
  )
}
