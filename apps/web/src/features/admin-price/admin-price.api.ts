import type {
  MoneySettingHistoryReply,
  MoneySettingsReply,
  SetMoneySettingBody,
  SetMoneySettingReply,
} from '@dct/api-contract/money-settings'
import type { PriceReply } from '@dct/api-contract/pricing'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const REFRESH_MS = 30_000

export const priceQueries = {
  price: queryOptions({
    queryKey: ['admin', 'price'] as const,
    queryFn: ({ signal }) => api.get<PriceReply>('/admin/price', { signal }),
    refetchInterval: REFRESH_MS,
  }),
  fees: queryOptions({
    queryKey: ['admin', 'money-settings'] as const,
    queryFn: ({ signal }) => api.get<MoneySettingsReply>('/admin/money-settings', { signal }),
  }),
  history: (query: ListQuery) =>
    queryOptions({
      queryKey: ['admin', 'money-settings', 'history', query] as const,
      queryFn: ({ signal }) =>
        api.get<MoneySettingHistoryReply>('/admin/money-settings-history', { query, signal }),
      select: ({ changes: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
}

/** Sets a value, or proposes it where another admin has to confirm it. */
export function useSetMoneySetting() {
  return useRefreshingAction(['admin'], (body: SetMoneySettingBody) =>
    api.post<SetMoneySettingReply>('/admin/money-settings', body),
  )
}
